// One question, asked in one way.
import { generateWithTools, ToolChoiceError, validateValue } from "@toolingua/core";
import { demandsCall } from "./cells.mjs";
import { converse } from "./multi-turn/converse.mjs";
import { isRight } from "./score.mjs";
import { selections } from "./selections.mjs";
import { shots } from "./shots.mjs";
import { askWay } from "./ways.mjs";
import { wordings } from "./wordings.mjs";

/**
 * Asks and scores. `right`: by the leaderboard's rule, or the end state of a scenario; `valid`: there is a call, and
 * every call is one of a tool with arguments that fit; `failed`: something was meant as a call and could not be read.
 * `firstArgument`: the seconds, and the characters and tokens of the reply, after which the first character of a call's
 * arguments was known (no characters where the server does not return the reply's own text); missing where there is no call.
 * `shown`: the names of the tools that a selection showed; `found`: whether those of all right calls are among them.
 */
export async function ask(question, cell, loaded, { seed, maxTokens }) {
  const started = performance.now();
  const meter = metered(loaded);
  const sampling = { seed, maxTokens, temperature: 0 };
  let firstArgument;
  /** `known`: what a server tells of a reply that is not seen as text. */
  const onArgument = (known = { characters: meter.spent.reply.length, tokens: meter.pieces() }) => {
    firstArgument ??= { seconds: Number(((performance.now() - started) / 1000).toFixed(3)), ...known };
  };
  const way = cell.way ? askItself : cell.peer ? askPeer : askOurs;
  const once = async (conversation) => {
    const of = question.turns ? { ...conversation, converses: true } : conversation;
    const said = await way(of, cell, { ...meter, onArgument }, sampling);
    // A reply that is parsed whole is read to its end before its first call is known.
    if (said.calls.length > 0) onArgument();
    return { ...said, reply: meter.spent.reply };
  };
  const { text: _, ...outcome } = question.turns
    ? await converse(question, once, { mustCall: demandsCall(cell) })
    : await once(question);
  const { calls } = outcome;
  const right = outcome.right ?? isRight(question, calls);
  const valid = calls.length > 0 && calls.every((call) => isValid(call, question.tools));
  const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
  const found = outcome.shown && question.truth?.every((call) => outcome.shown.includes(Object.keys(call)[0]));
  return {
    ...outcome,
    ...(outcome.shown && { found }),
    right,
    valid,
    ...meter.spent,
    seconds,
    ...(firstArgument && { firstArgument }),
  };
}

/** The model and its statistics: the tokens of all its replies, and the last reply. */
function metered({ model, ...itself }) {
  const spent = { attempts: 0, tokensIn: 0, tokensOut: 0, reply: "" };
  let pieces = 0;
  async function* counting(request) {
    spent.attempts += 1;
    spent.reply = "";
    pieces = 0;
    let usage;
    try {
      for await (const chunk of model(request)) {
        if (typeof chunk === "string") {
          spent.reply += chunk;
          pieces += 1;
        }
        usage = chunk.usage ?? usage;
        yield chunk;
      }
    } finally {
      // A stream that is closed early has already reported its usage so far.
      spent.tokensIn += usage?.inputTokens ?? 0;
      spent.tokensOut += usage?.outputTokens ?? 0;
    }
  }
  async function way(cell, question, sampling, onArgument) {
    const { tokensIn, tokensOut, reply, ...said } = await askWay(cell, question, { ...itself, onArgument }, sampling);
    spent.attempts += 1;
    spent.tokensIn += tokensIn;
    spent.tokensOut += tokensOut;
    spent.reply = reply;
    pieces = tokensOut;
    return said;
  }
  // A server streams a piece for each token.
  return { model: counting, way, spent, pieces: () => pieces };
}

function isValid({ name, arguments: args }, tools) {
  const tool = tools.find((one) => one.name === name);
  return tool !== undefined && validateValue(args, tool.parameters).length === 0;
}

/** What a grammar is limited to besides. */
const LIMITS = { "grammar-one": { maxCalls: 1 }, "grammar-in-order": { maxUnordered: 0 } };

const MALFORMED = ["malformed", "truncated", "limit"];

async function askOurs(
  { messages, tools },
  { protocol, style, constraint, retry, shots: set, wording, selection: way },
  { model, onArgument },
  sampling,
) {
  const system = messages.filter(({ role }) => role === "system");
  const rest = messages.filter(({ role }) => role !== "system");
  const selection = selections[way]();
  const turn = generateWithTools({
    model: (request) => model({ ...request, messages: wordings[wording](request.messages) }),
    messages: [...system, ...shots(set), ...rest],
    tools,
    protocol,
    style,
    maxIdenticalCalls: 1,
    ...(selection && { toolSelection: selection }),
    ...(demandsCall({ constraint }) && { toolChoice: "required", maxInvalidCallRetries: retry === "retry" ? 1 : 0 }),
    ...((constraint.startsWith("grammar") || constraint === "lazy") && { constraint: "required" }),
    ...(constraint in LIMITS && { grammar: LIMITS[constraint] }),
    ...(retry === "retry" && { onInvalidCall: "retry", maxInvalidCallRetries: 1 }),
    ...sampling,
  });
  const {
    text,
    toolCalls,
    invalidToolCalls,
    selection: selected,
  } = await readTurn(turn, onArgument).catch((error) => {
    if (error instanceof ToolChoiceError) return { text: "", toolCalls: [], invalidToolCalls: [] }; // none, though one was demanded
    throw error;
  });
  // What could be read of a wrong call counts as it does for the others: as a call, right or not.
  const wrong = invalidToolCalls.filter(({ name, arguments: args }) => name !== undefined && isObject(args));
  return {
    text,
    calls: [...toolCalls, ...wrong].map(({ name, arguments: args }) => ({ name, arguments: args })),
    failed: invalidToolCalls.some(({ error }) => MALFORMED.includes(error.code)),
    ...(selected && { shown: selected.shown }),
  };
}

async function readTurn(turn, onArgument) {
  for await (const event of turn) if (event.type === "call-delta" && event.argumentsDelta !== "") onArgument();
  return turn.result();
}

async function askPeer({ messages, tools }, { peer }, { model }, sampling) {
  const prompt = await peer.prompt(messages, tools);
  let reply = "";
  for await (const chunk of model({ ...prompt, ...sampling })) if (typeof chunk === "string") reply += chunk;
  const { calls, failed, text } = await peer.parse(reply, tools);
  const objects = calls.filter(({ arguments: args }) => isObject(args));
  return { text, calls: objects, failed: failed || objects.length < calls.length };
}

const askItself = (question, cell, { way, onArgument }, sampling) => way(cell, question, sampling, onArgument);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
