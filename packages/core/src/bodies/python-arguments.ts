import { isObject } from "../common/plain-object.js";
import { RenderError } from "../errors.js";
import { closesList } from "../reply/forms/match-token.js";
import { type BodyKind, rejecting, startsWithOneOf } from "../reply/readers/body-kind.js";
import { PythonReader } from "../reply/readers/python-reader.js";
import { PYTHON_NAME } from "../schema/names.js";
import type { PythonArgumentsBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { closesOf } from "./json-reader-of.js";

/** Python's keyword arguments: see {@link PythonArgumentsBody}. */
export const pythonArgumentsBody: BodyKind<PythonArgumentsBody> = {
  kind: "python-arguments",
  render: (_, call) => renderPythonArguments(call.arguments),
  starts: startsWithOneOf("("),
  reader({ quote }, place) {
    const { host, repaired, around } = place;
    const rejected = rejecting(host);
    const closes = closesOf(place);
    const call = host.currentCall();
    const close = place.node.block?.close ?? [];
    const options = { keys: call, quote, isListItem: closesList(close), repaired, rejected, closes, around };
    return new PythonReader(call.argumentSink(), options, call.plan, {
      list: listAround(close),
      isVariable: (name) => host.isVariable(name),
    });
  },
};

/** The list around calls whose block these markers close. */
function listAround(close: readonly string[]): { closer?: string } | undefined {
  const bracket = close.indexOf("]");
  const closer = close[bracket + 1];
  return bracket < 0 ? undefined : closer === undefined ? {} : { closer };
}

function renderPythonArguments(args: Record<string, unknown>): string {
  const written = Object.entries(args).map(([key, value]) => {
    if (!PYTHON_NAME.test(key)) {
      throw new RenderError("unwritable-key", `The argument ${JSON.stringify(key)} cannot be a Python keyword.`);
    }
    return `${key}=${renderPython(value)}`;
  });
  return `(${written.join(", ")})`;
}

/** Renders a Python value. JSON strings are Python strings, too. */
function renderPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderPython).join(", ")}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, part]) => `${renderJson(key)}: ${renderPython(part)}`);
    return `{${entries.join(", ")}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "None" : renderJson(value);
}
