"""Verdicts of the leaderboard's own checker: reads JSON lines of {category, functions, truth, calls}, writes true or false.

Only the checker is imported: the package's list of models and its converters for Java and JavaScript, which Python
categories do not use, need clients and parsers of many makers.
"""
import json
import sys
import types

sys.path.insert(0, sys.argv[1])


def stub(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


class AnyModel(dict):
    def __missing__(self, key):
        return types.SimpleNamespace(underscore_to_dot=False)


stub("bfcl_eval.constants.model_config", MODEL_CONFIG_MAPPING=AnyModel())
convertors = "bfcl_eval.eval_checker.ast_eval.type_convertor"
stub(f"{convertors}.java_type_converter", java_type_converter=None)
stub(f"{convertors}.js_type_converter", js_type_converter=None)

from bfcl_eval.constants.enums import Language  # noqa: E402
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # noqa: E402

for line in sys.stdin:
    case = json.loads(line)
    calls = [{call["name"]: call["arguments"]} for call in case["calls"]]
    try:
        verdict = ast_checker(
            case["functions"], calls, case["truth"], Language.PYTHON, case["category"], "any"
        )["valid"]
    except Exception:
        verdict = False
    print(json.dumps(bool(verdict)))
