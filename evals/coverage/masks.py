"""Times llguidance's masks, one after each token of a value.

Reads {"tokenizer": str, "end": int, "cases": [{"schema": …, "tokens": [int]}]} from stdin, the tokenizer as in a
tokenizer.json; writes for each case {"compiled": …, "us": […]} or {"error": str}, in microseconds.
"""

import json
import sys
import time

from llguidance import LLMatcher, LLTokenizer


def microseconds(run):
    begun = time.perf_counter()
    made = run()
    return (time.perf_counter() - begun) * 1e6, made


def masks(tokenizer, schema, tokens):
    def compiled():
        return LLMatcher(tokenizer, LLMatcher.grammar_from_json_schema(json.dumps(schema)), log_level=0)

    compile_us, matcher = microseconds(compiled)
    if matcher.is_error():
        return {"error": matcher.get_error()}
    times = []
    previous = None

    def masked():
        if previous is not None:
            matcher.consume_token(previous)
        return matcher.compute_bitmask()

    for token in tokens:
        us, mask = microseconds(masked)
        if not (mask[token >> 3] >> (token & 7)) & 1:
            return {"error": f"the grammar refuses token {token}"}
        times.append(us)
        previous = token
    return {"compiled": compile_us, "us": times}


given = json.load(sys.stdin)
tokenizer = LLTokenizer(given["tokenizer"], eos_token=given["end"])
json.dump([masks(tokenizer, case["schema"], case["tokens"]) for case in given["cases"]], sys.stdout)
