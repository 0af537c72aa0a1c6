import { quoted } from "../../json.js";
import { type Check, type Evidence, hasCalls, NO_CALL, pass, unseen, type Verdict } from "../check.js";
import { type ApiName, alike, all, type Breaks, clientNames } from "../clients.js";
import { checksOf } from "../judges.js";
import { isAnswer, named, type Reply } from "../reply.js";
import { time } from "../scenarios.js";
import { callIn } from "./missed-calls.js";

// Whether `tool_choice` is enforced. A model without a call under `auto` is not the server's fault; no call under
// `required` shows that the server does not constrain the model. If no call was seen at all, it is a warning.

/** An API's descriptions of its choices, and their source. */
interface ChoiceWords {
  source: string;
  required: string;
  named: string;
  none: string;
  single: string;
}

const forced: Breaks = {
  "openai-sdk": "an application that requires a call gets text",
  "anthropic-sdk": "an application that requires a call gets text",
  "ai-sdk": "`toolChoice` is not obeyed: the loop ends with text",
  langchain: "`withStructuredOutput` by function calling finds no call and throws",
  "openai-agents": "`modelSettings.toolChoice` is not obeyed: the agent ends with text",
};

/** The clients that break by `tool_choice`, all in the same way. */
const likewise = (how: string): Breaks =>
  alike(
    clientNames.filter((name) => name in forced),
    how,
  );

/** The checks of `tool_choice` in an API. */
export function toolChoiceChecks(api: ApiName, { source, ...says }: ChoiceWords): Check[] {
  const check = checksOf(api, { whole: source, stream: source });
  return [
    check({
      id: "tools.accepted",
      title: "Tools are taken, and the model is free to call",
      says: "A request has `tools`; without `tool_choice` the model chooses.",
      breaks: all(api, "no request with tools is answered"),
      judge: judgeAccepted,
    }),
    check({
      id: "tool-choice.required",
      title: "A required call is made",
      says: says.required,
      breaks: forced,
      judge: (evidence) => judgeForced(evidence, ["required call", "streamed required call"], hasCalls),
    }),
    check({
      id: "tool-choice.named",
      title: "The tool that is named is called",
      says: says.named,
      breaks: forced,
      judge: (evidence) =>
        judgeForced(evidence, ["named tool"], ({ calls }) => calls.length > 0 && calls.every(isOf(time.name))),
    }),
    check({
      id: "tool-choice.none",
      title: "No call is made where none may be",
      says: says.none,
      breaks: likewise("a last answer in words is asked for, and a call comes"),
      judge: judgeNone,
    }),
    check({
      id: "parallel.single",
      title: "At most one call is made where several may not be",
      says: says.single,
      breaks: likewise("code that takes the first call drops the others"),
      judge: judgeSingle,
    }),
  ];
}

const isOf = (name: string) => (call: { name: string | undefined }) => call.name === name;
const triesOf = ({ replies }: Evidence, names: readonly string[]) =>
  replies.filter(({ scenario }) => names.includes(scenario.name));

/** The rejection of one of these requests, as a verdict. */
function refusal(tries: readonly Reply[]): Verdict | undefined {
  const refused = tries.find(({ exchange }) => exchange.status >= 400 && exchange.status < 500);
  if (!refused) return undefined;
  const { status, text } = refused.exchange;
  return { status: "fault", seen: `${named(refused)} is refused with ${status}: ${quoted(text)}` };
}

function judgeAccepted(evidence: Evidence): Verdict {
  const tries = triesOf(evidence, ["call", "streamed call"]);
  const refused = refusal(tries);
  if (refused) return refused;
  const made = tries.filter(hasCalls).length;
  return pass(`${made} of ${tries.length} answers have calls, as the model chose`);
}

function judgeForced(evidence: Evidence, names: readonly string[], isRight: (reply: Reply) => boolean): Verdict {
  const asked = triesOf(evidence, names);
  const refused = refusal(asked);
  if (refused) return refused;
  // A truncated answer may have been about to call; a call in the text is a different fault.
  const isConclusive = (reply: Reply) =>
    hasCalls(reply) || (!reply.isCut && callIn(reply, evidence.model) === undefined);
  const tries = asked.filter((reply) => isAnswer(reply) && isConclusive(reply));
  if (tries.length === 0) return unseen("no such question was answered whole");
  const wrong = tries.filter((reply) => !isRight(reply));
  const [first] = wrong;
  if (!first) return pass(`${tries.length} of ${tries.length} answers obey`);
  if (first.calls.length > 0)
    return { status: "fault", seen: `in ${named(first)} ${quoted(first.calls[0]?.name ?? "nothing")} was called` };
  const seen = `${wrong.length} of ${tries.length} answers have no call, but text: ${quoted(first.text, 60)}`;
  if (evidence.replies.some(hasCalls)) return { status: "fault", seen: `${seen}; the model does call elsewhere` };
  return {
    status: "warning",
    seen: `${seen}; the model called in no other answer either, so ask again with one that does call`,
  };
}

function judgeNone(evidence: Evidence): Verdict {
  const asked = triesOf(evidence, ["no tool"]);
  const refused = refusal(asked);
  if (refused) return refused;
  const tries = asked.filter(isAnswer);
  const called = tries.find(hasCalls);
  if (called) return { status: "fault", seen: `${quoted(called.calls[0]?.name ?? "a tool")} was called` };
  if (tries.length === 0) return unseen("no such question was answered whole");
  if (!evidence.replies.some(({ scenario, calls }) => scenario.name.endsWith("call") && calls.length > 0))
    return unseen("the model calls nothing when it may, either");
  return pass(`${tries.length} answers have no call`);
}

function judgeSingle(evidence: Evidence): Verdict {
  const asked = triesOf(evidence, ["one call at a time"]);
  const refused = refusal(asked);
  if (refused) return refused;
  const several = asked.find(({ calls }) => calls.length > 1);
  if (several) return { status: "fault", seen: `${several.calls.length} calls came` };
  if (!asked.some(hasCalls)) return unseen(NO_CALL);
  const free = triesOf(evidence, ["two calls"]).some(({ calls }) => calls.length > 1);
  return free ? pass("one call, where two come otherwise") : unseen("the model makes no two calls at once anyway");
}
