"""Judges texts with llguidance. Reads [{"grammar": str, "texts": [str]}] from stdin, writes [[bool]] or an error for each."""

import json
import sys

from llguidance import LLMatcher, LLTokenizer

tokenizer = LLTokenizer("byte")


def verdicts(grammar, texts):
    start = LLMatcher(tokenizer, grammar, log_level=0)
    if start.is_error():
        return start.get_error()

    def admits(text):
        matcher = start.deep_copy()
        tokens = tokenizer.tokenize_bytes(text.encode())
        return matcher.validate_tokens(tokens) == len(tokens) and matcher.consume_tokens(tokens) and matcher.is_accepting()

    return [admits(text) for text in texts]


json.dump([verdicts(case["grammar"], case["texts"]) for case in json.load(sys.stdin)], sys.stdout)
