"""Compiles schemas and judges texts with llguidance.

Reads [{"schema": …, "texts": [str]}] from stdin, writes for each {"us": …, "verdicts": [bool]} or {"error": str}.
"""

import json
import sys
import time

from llguidance import LLMatcher, LLTokenizer

tokenizer = LLTokenizer("byte")


def timed(run):
    """What it gives, and the fastest of three runs in microseconds."""
    best = None
    for _ in range(3):
        begun = time.perf_counter()
        made = run()
        taken = (time.perf_counter() - begun) * 1e6
        best = taken if best is None else min(best, taken)
    return made, round(best, 1)


def llguidance(schema, texts):
    def compiled():
        return LLMatcher(tokenizer, LLMatcher.grammar_from_json_schema(json.dumps(schema)), log_level=0)

    try:
        start, us = timed(compiled)
    except Exception as error:
        return {"error": str(error)}
    if start.is_error():
        return {"error": start.get_error()}

    def admits(text):
        matcher = start.deep_copy()
        tokens = tokenizer.tokenize_bytes(text.encode())
        return matcher.validate_tokens(tokens) == len(tokens) and matcher.consume_tokens(tokens) and matcher.is_accepting()

    return {"us": us, "verdicts": [bool(admits(text)) for text in texts]}


json.dump([llguidance(case["schema"], case["texts"]) for case in json.load(sys.stdin)], sys.stdout)
