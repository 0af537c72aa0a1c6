import type { Body } from "../protocol.js";
import type { ValueSink } from "./arguments/value-sink.js";
import { ActionRouter, type AnswerHost } from "./bodies/action-router.js";
import { AttributesReader } from "./bodies/attributes-reader.js";
import { type CallHost, CallRouter } from "./bodies/call-router.js";
import { ElementsReader } from "./bodies/elements-reader.js";
import { InputReader } from "./bodies/input-reader.js";
import { JsonReader } from "./bodies/json-reader.js";
import { KeyedCallSink } from "./bodies/keyed-call-sink.js";
import { PythonReader } from "./bodies/python-reader.js";
import { YamlReader } from "./bodies/yaml-reader.js";
import { type Input, type Status, standsFirst } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import { afterBody } from "./opening/token-fit.js";

/** Reads the arguments of one call, or, of a body that holds the name as well, the calls. */
export interface BodyReader {
  read(input: Input): Status;
  failure: string;
  tooDeep?: boolean;
  /** The failure says where it is itself. */
  tellsWhere?: boolean;
  isBetweenValues: boolean;
  /** What closes the last value may be a part of it. */
  mayGoOn?: boolean;
  /** The arguments are complete. */
  finish?(): void;
  /** The markers that can end the call from anywhere in the body, where it holds them itself. */
  ownClosers?: string[];
  /** How many brackets are open, of a body in brackets. */
  depth?: number;
  /** Closes them, when the markup around the body has ended before its brackets did. */
  closeAll?(): void;
}

/** Where a body stands. */
export interface BodyPlace {
  /** What comes behind it. */
  node: FormNode;
  /** Arguments that stand in the tag which names the tool. */
  stated: ReadonlyMap<string, string> | undefined;
  /** What ends the quotes, or the like, that the call stands in. */
  around: readonly string[];
  /** The white space before it: of YAML it is the indentation. */
  gap: string;
  host: CallHost;
  answers: AnswerHost;
  repaired(code: string): void;
}

/** What reads a body of that kind. */
export function readerOf(body: Body, place: BodyPlace): BodyReader {
  const { node, around, gap, host, answers, repaired } = place;
  const { markers } = afterBody(node);
  const closes = (text: string, index: number) => standsFirst(markers, text, index);
  const ends = markers.length > 0 ? closes : undefined;
  const isTool = (name: string) => host.isTool(name);
  const opensCalls = (name: string) => host.opensCalls(name);
  const rejected = (reason: string) => host.currentCall().reject(reason);
  const json = (sink: ValueSink, siblings: boolean, quote?: string) =>
    new JsonReader(sink, { repaired, rejected, closes: ends, isObject: true, siblings, quote, around });
  if (place.stated?.size && body.body !== "elements") rejected("its tag holds an argument");
  switch (body.body) {
    case "json":
      return json(host.currentCall().argumentSink(), false, body.quote);
    case "json-call":
      return json(new CallRouter(body, host), true);
    case "keyed-call":
      return json(new KeyedCallSink(host), true);
    case "action":
      return json(new ActionRouter(body, host, answers), true);
    case "python-arguments":
      return new PythonReader(host.currentCall().argumentSink(), { repaired, rejected, closes: ends, around });
    case "attributes":
      return new AttributesReader(body, host.currentCall(), host);
    case "elements": {
      const call = host.currentCall();
      const reader = new ElementsReader(
        body,
        call.argumentEmitter(),
        call.plan,
        closes,
        { repaired, rejected, isTool, opensCalls },
        afterBody(node),
      );
      if (place.stated?.size) reader.takeStated(place.stated);
      return reader;
    }
    case "input": {
      const call = host.currentCall();
      return new InputReader(body.until, call.argumentEmitter(), call.plan, repaired, rejected);
    }
    case "yaml": {
      const call = host.currentCall();
      const closers = markers.filter((marker) => /^<\/[^<>]+>$/.test(marker));
      return new YamlReader(call.argumentEmitter(), call.plan, closers, repaired, rejected, gap, opensCalls);
    }
  }
}
