import { quoted } from "../../json.js";
import { type Check, everyReply } from "../check.js";
import { type ApiName, alike, all } from "../clients.js";
import { checksOf, ofStreams, ofWhole } from "../judges.js";
import type { Exchange } from "../wire/exchange.js";

// What every API has in common below its events: content types, the lines of events, and live streaming.

const requests = "https://platform.openai.com/docs/api-reference/making-requests";
const html = "https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream";

/** Shorter streams, in ms, do not show when their pieces arrived. */
const LONG = 500;
/** The fewest pieces of such a stream. */
const MANY = 8;
/** In a live stream, the pieces arrive over more than this fraction of its time. */
const PART = 0.1;

/** The checks of content types, lines and timing. `isText`: whether an event contains text of the model. */
export function transportChecks(api: ApiName, isText: (json: unknown) => boolean): Check[] {
  const check = checksOf(api, { whole: requests, stream: html });
  return [
    check({
      id: "whole.content-type",
      title: "A whole answer is application/json",
      says: "`content-type: application/json`.",
      breaks: {
        ...alike(
          ["openai-sdk", "anthropic-sdk"],
          "gives a text in place of the answer, and code that reads its fields throws",
        ),
        ...alike(["langchain", "openai-agents"], "reads fields of a text, and throws"),
      },
      judge: ofWhole((_, { exchange }) => typeProblem(exchange, "application/json")),
    }),
    check({
      id: "stream.content-type",
      title: "A stream is text/event-stream",
      level: "warning",
      says: "`content-type: text/event-stream`.",
      breaks: { "claude-code": "does not take it for a stream" },
      judge: ofStreams(({ exchange }) => typeProblem(exchange, "text/event-stream")),
    }),
    check({
      id: "stream.data",
      title: "Each event of a stream is JSON; in silence come comments",
      says: "`data:` and JSON, or a comment (`:`), which readers pass over. Empty data and other words are not a keep-alive.",
      breaks: all(api, "throws where it parses the line"),
      judge: ofStreams(({ exchange: { events, invalidLines, text } }) => {
        if (events.length === 0) return `there are no events, but ${quoted(text)}`;
        if (invalidLines[0] !== undefined) return `there is a line that is not an event: ${quoted(invalidLines[0])}`;
        const bad = events.find(({ data, json }) => json === undefined && !data.startsWith("[DONE]"));
        return bad && `there is data that is not JSON: "${quoted(bad.data)}"`;
      }),
    }),
    check({
      id: "stream.live",
      title: "A stream is live, and not collected first",
      says: "Events are sent as the model writes.",
      breaks: {
        "claude-code": "shows nothing until the end, and may give up on the silence",
        codex: "shows nothing until the end, and gives up after five minutes of silence",
      },
      judge: everyReply({
        of({ scenario, exchange }) {
          const texts = exchange.events.filter(({ json }) => isText(json));
          return scenario.stream && exchange.ms >= LONG && texts.length >= MANY;
        },
        wrong({ exchange: { events, ms } }) {
          const texts = events.filter(({ json }) => isText(json));
          const [first, last] = [texts[0]?.at ?? 0, texts.at(-1)?.at ?? 0];
          if (last - first >= PART * ms) return undefined;
          return `nothing came for ${first} ms, and then ${texts.length} pieces within ${last - first} ms`;
        },
        unseen: `no stream took longer than ${LONG} ms`,
      }),
    }),
  ];
}

function typeProblem({ headers }: Exchange, wanted: string): string | undefined {
  const given = headers["content-type"];
  const type = given?.split(";")[0]?.trim().toLowerCase();
  return type === wanted ? undefined : `the content type is ${quoted(given ?? "missing")}`;
}
