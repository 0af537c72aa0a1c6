import { shallowJson } from "@toolingua/core/adapters";
import { quoted } from "../../json.js";
import { counted } from "../../terminal/counted.js";
import { type Asked, type Check, type Evidence, pass, unseen, type Verdict } from "../check.js";
import { type ApiName, alike, all } from "../clients.js";
import { checksOf } from "../judges.js";
import type { Reply } from "../reply.js";

/** How an API writes errors. */
interface ErrorWords {
  source: string;
  /** A description of the shape. */
  shape: string;
  /** The problem of an error, if any. */
  wrong(body: unknown): string | undefined;
}

/** The checks of errors in an API. */
export function errorChecks(api: ApiName, { source, shape, wrong }: ErrorWords): Check[] {
  const check = checksOf(api, { whole: source, stream: source });
  return [
    check({
      id: "errors.status",
      title: "A request that is wrong gets a status from 400 to 499",
      says: "400 for what is not a request; 404 for an unknown model; 401 for a wrong key.",
      breaks: all(api, "takes a 500 for a failure of the server, and asks again in vain; takes a 200 for the answer"),
      judge: judgeStatus,
    }),
    check({
      id: "errors.shape",
      title: "Errors have the API's shape",
      says: shape,
      breaks: {
        ...alike(["openai-sdk", "openai-agents", "langchain", "ai-sdk"], "shows a status without the server's words"),
        "claude-code": "tells errors apart by their type and words, which it does not find",
        codex: "acts on `error.code`, which it does not find",
      },
      judge: (evidence) => judgeShape(evidence, wrong),
    }),
    check({
      id: "errors.before-stream",
      title: "What fails before a stream is a status, not a stream",
      says: "An error before the first event is an HTTP error, also with `stream: true`.",
      breaks: {
        "claude-code": "shows an empty answer, or fails on the stream, and does not heed `retry-after`",
        ...alike(["openai-sdk", "anthropic-sdk"], "throws in the middle of reading and never retries"),
        "ai-sdk": "gives an error part in a stream that was taken for good",
      },
      judge: judgeBeforeStream,
    }),
    check({
      id: "errors.in-stream",
      title: "An error in the middle of a stream has the API's shape",
      says: shape,
      breaks: {
        ...alike(
          ["claude-code", "openai-sdk", "anthropic-sdk", "langchain", "openai-agents"],
          "takes the beginning for the whole answer",
        ),
        "ai-sdk": "ends with an error that does not say why",
      },
      judge: (evidence) => judgeInStream(evidence, wrong),
    }),
    check({
      id: "answers",
      title: "Questions are answered, and not with a failure of the server",
      says: "A right request has an answer.",
      breaks: {
        ...all(api, "throws"),
        "claude-code": "asks again and again, then gives up",
        codex: "asks again up to five times, then gives up",
      },
      judge: judgeAnswers,
    }),
  ];
}

/** Whether this is not an answer. Refusals because of tools belong to the checks of tools. */
const isFailure = ({ exchange, failure, scenario }: Reply) =>
  exchange.status >= (scenario.tools.length === 0 || scenario.turn === "results" ? 300 : 500) ||
  failure !== undefined ||
  exchange.ending !== "complete";

function judgeAnswers({ replies }: Evidence): Verdict {
  const failed = replies.filter(isFailure);
  const [first] = failed;
  if (!first) return pass(`${replies.length} of ${replies.length}`);
  const { exchange, scenario, failure } = first;
  const what =
    failure !== undefined
      ? `failed in its middle: ${quoted(failure)}`
      : exchange.status >= 300
        ? `got ${exchange.status}: ${quoted(exchange.text)}`
        : `got no whole answer: ${exchange.problem ?? exchange.ending}`;
  return { status: "fault", seen: `${failed.length} of ${replies.length} failed; "${scenario.name}" ${what}` };
}

function judgeShape({ wrong: asked }: Evidence, wrong: ErrorWords["wrong"]): Verdict {
  const errors = asked.filter(({ exchange }) => exchange.status >= 400);
  if (errors.length === 0) return unseen("no request was refused");
  for (const { name, exchange } of errors) {
    const problem = wrong(shallowJson(exchange.text));
    if (problem !== undefined)
      return { status: "fault", seen: `the error for "${name}" ${problem}: ${quoted(exchange.text)}` };
  }
  return pass(counted(errors.length, "error"));
}

/**
 * Some servers of one model accept any model name, and servers without keys any key. Another check covers the third.
 */
const mayBeTaken = ({ name }: Asked) => /^(?:unknown model|wrong key|unknown previous_response_id)/.test(name);

function judgeStatus({ wrong: asked }: Evidence): Verdict {
  for (const one of asked) {
    const { status, text, problem } = one.exchange;
    if (status >= 400 && status < 500) continue;
    if (status >= 200 && status < 300 && (mayBeTaken(one) || isStreamed(one))) continue;
    const what = status === 0 ? (problem ?? "no answer") : `${status}: ${quoted(text)}`;
    return { status: "fault", seen: `the request "${one.name}" gets ${what}` };
  }
  return pass(counted(asked.length, "wrong request"));
}

const isStreamed = ({ name }: Asked) => name.endsWith("streamed");

function judgeBeforeStream({ wrong: asked }: Evidence): Verdict {
  const streamed = asked.filter(isStreamed);
  for (const one of streamed) {
    const { status, text } = one.exchange;
    const whole = asked.find(({ name }) => `${name}, streamed` === one.name);
    const isRefused = whole !== undefined && whole.exchange.status >= 400;
    if (isRefused && status >= 200 && status < 300)
      return { status: "fault", seen: `"${one.name}" gets ${status} and ${quoted(text)}` };
  }
  const refused = streamed.filter(({ exchange }) => exchange.status >= 400);
  return refused.length > 0 ? pass(`${refused.length} refused`) : unseen("no such request was refused");
}

function judgeInStream({ replies }: Evidence, wrong: ErrorWords["wrong"]): Verdict {
  const failed = replies.filter(({ scenario, failure }) => scenario.stream && failure !== undefined);
  if (failed.length === 0) return unseen("no stream failed");
  const problem = failed.map(({ failure }) => wrong(failure)).find((one) => one !== undefined);
  if (problem === undefined) return pass(`${counted(failed.length, "stream")} failed with an error that can be read`);
  return { status: "fault", seen: `the error ${problem}: ${quoted(failed[0]?.failure)}` };
}
