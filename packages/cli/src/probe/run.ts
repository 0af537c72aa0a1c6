import { createHash } from "node:crypto";
import { type ProtocolName, protocolForModel, type ToolStyle } from "@toolingua/core";
import type { ConstraintBackend } from "@toolingua/core/grammar";
import { refused } from "../files/refused.js";
import type { GivenKey } from "../model-source/given-key.js";
import { type OpenedModel, openModel } from "../model-source/open-model.js";
import { nativeFormat } from "../model-source/server-facts.js";
import { namedProtocol, protocolNames } from "../protocols/named-protocol.js";
import { CliError } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import type { Terminal } from "../terminal/terminal.js";
import { untilInterrupted } from "../terminal/until-interrupted.js";
import { candidatesFor, type Setting, serverTools, usualProtocols } from "./candidates.js";
import { checkWritable, writeConfig } from "./config-file.js";
import { probe } from "./probe.js";
import { Progress } from "./progress.js";
import { questions as askedQuestions, mostQuestions } from "./questions/bank.js";
import { questionKinds } from "./questions/question.js";
import { codeLine, serveConfig, type Target } from "./recommendation.js";
import { conclusion, type Findings, printReport, reportJson } from "./report.js";
import { forget, type ProbeIdentity, ProbeState, statePath } from "./state.js";
import { verdictOf } from "./winner.js";

/** The options of `toolingua probe`. */
export interface ProbeOptions {
  model?: string;
  apiKey?: GivenKey;
  embedded?: string;
  backend?: ConstraintBackend;
  questions: number;
  protocol?: string[];
  all?: boolean;
  style: ToolStyle;
  requireCalls?: boolean;
  /** False with --no-constraint. */
  constraint?: boolean;
  /** False with --no-server-tools. */
  serverTools?: boolean;
  /** False with --no-early: no candidate is stopped early. */
  early?: boolean;
  concurrency: number;
  /** In milliseconds. */
  timeout: number;
  maxTokens: number;
  seed: number;
  state?: string;
  fresh?: boolean;
  write?: string;
  force?: boolean;
}

/** The context size of an embedded model, in tokens: a question with its tools takes some hundreds. */
const CONTEXT = 4096;

/**
 * `toolingua probe`: finds the wire format that a model writes best.
 *
 * Exit code: 0, or 1 if no format does better than chance; 130 if interrupted, after which the same command resumes.
 */
export async function run(terminal: Terminal, address: string | undefined, options: ProbeOptions): Promise<number> {
  checkProbeOptions(address, options);
  await checkWritable(options);
  const { embedded, model, backend, apiKey } = options;
  const place = { upstream: address, upstreamKey: apiKey, embedded, model, backend };
  let subject: OpenedModel | undefined;
  const probeWith = async (signal: AbortSignal) => {
    subject = await openModel(terminal, place, { contextSize: CONTEXT, signal });
    return await probeModel(terminal, subject, options, signal);
  };
  try {
    return await untilInterrupted(terminal.io, probeWith, { on: ["SIGINT", "SIGTERM"] });
  } finally {
    await subject?.close();
  }
}

/** Probes an opened model. Its answers are kept as they arrive. */
async function probeModel(
  terminal: Terminal,
  subject: OpenedModel,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<number> {
  const { model, facts, server } = subject;
  const native = nativeFormat(facts, model);
  const setting: Setting = {
    backend: server ? facts.backend : "embedded",
    style: options.style,
    toolChoice: options.requireCalls ? "required" : "auto",
  };
  const questions = askedQuestions(options.questions, kindsFor(options));
  const protocols = protocolsFor(options, native?.protocol);
  const candidates = [
    ...candidatesFor(protocols, setting).filter(({ constrained }) => !constrained || options.constraint !== false),
    ...(server && options.serverTools !== false ? [serverTools] : []),
  ];
  sayWhatIsKnown(terminal, { native, setting, count: candidates.length * questions.length });
  const state = await openState(terminal, options, model, identityOf(subject, setting, options));
  try {
    const progress = new Progress(terminal, candidates, questions.length, options.concurrency);
    const { maxTokens, seed, concurrency, timeout } = options;
    const preferred = [...(native ? [native.protocol] : []), ...protocols];
    const found = await probe({
      subject: { ...subject, setting, maxTokens, seed, timeout, preferred },
      ...{ candidates, questions, concurrency, state, signal, watch: progress },
      stopEarly: options.early !== false,
      discover: options.protocol === undefined && !options.all && setting.toolChoice === "auto",
    }).finally(() => progress.end());
    const verdict = verdictOf(found.candidates, { native: native?.protocol, spoken: found.spoken });
    const findings: Findings = {
      ...{ ...found, ...verdict, model, native, state: state.path, questions: questions.length },
      ...{ url: server?.baseURL, backend: setting.backend },
    };
    if (verdict.best) {
      const target: Target = { model, baseURL: server?.baseURL, withKey: options.apiKey !== undefined, setting };
      findings.config = serveConfig(target, verdict.best, [`toolingua probe, ${model}`, ...conclusion(findings)]);
      findings.code = codeLine(target, verdict.best);
    }
    if (terminal.json) terminal.printJson(reportJson(findings));
    else printReport(terminal, findings);
    await writeConfig(terminal, options, findings.config);
    return verdict.winner ? exitCodes.success : exitCodes.nothingFound;
  } catch (error) {
    if (state.size > 0) terminal.note(`${state.size} answers are kept: the same command goes on.`);
    throw error;
  }
}

/** The answers to the same questions are those of the same model with the same settings. */
const identityOf = (
  { model, facts, server }: OpenedModel,
  { backend, style, toolChoice }: Setting,
  { maxTokens, seed }: ProbeOptions,
): ProbeIdentity => ({
  ...{ model, url: server?.baseURL ?? "embedded", backend: backend ?? null, style, toolChoice, maxTokens, seed },
  template: facts.template ? hashOf(facts.template.text) : null,
  file: facts.modelNames.join(" "),
});

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** With --require-calls, questions that need no call are left out. */
const kindsFor = ({ requireCalls }: ProbeOptions) =>
  questionKinds.filter((kind) => !requireCalls || kind !== "no call");

function checkProbeOptions(address: string | undefined, options: ProbeOptions): void {
  const { embedded, protocol, write, force, questions } = options;
  const usage = (message: string) => new CliError("usage", message);
  if (address === undefined && embedded === undefined)
    throw usage("The model is missing: give the URL of a server, or --embedded MODEL.");
  if (address !== undefined && embedded !== undefined) throw usage("A URL and --embedded cannot be given together.");
  if (force && write === undefined) throw usage("--force needs --write with the file to replace.");
  const most = mostQuestions(kindsFor(options));
  if (questions > most) throw usage(`There are ${most} questions, not ${questions}.`);
  for (const name of protocol ?? []) if (name !== "auto") namedProtocol(name);
}

/** The formats to test, the native one first. `auto` means the native one. */
function protocolsFor({ protocol, all, model = "" }: ProbeOptions, native: ProtocolName | undefined): ProtocolName[] {
  const first = native ? [native] : [];
  if (protocol)
    return [
      ...new Set(protocol.map((name) => (name === "auto" ? (native ?? protocolForModel(model)) : namedProtocol(name)))),
    ];
  return [...new Set([...first, ...(all ? protocolNames : usualProtocols)])];
}

function sayWhatIsKnown(
  terminal: Terminal,
  { native, setting, count }: { native: ReturnType<typeof nativeFormat>; setting: Setting; count: number },
): void {
  const trained = native ? `trained on ${native.protocol}, by ${native.from}` : "its training format is unknown";
  terminal.note(`${setting.backend ?? "server of an unknown kind"}; the model: ${trained}; at most ${count} answers`);
  if (setting.backend === undefined)
    terminal.note("Whether its server can constrain replies is unknown: give its kind as --backend.");
}

async function openState(
  terminal: Terminal,
  { state: given, fresh }: ProbeOptions,
  model: string,
  identity: ProbeIdentity,
): Promise<ProbeState> {
  const path = given ?? statePath(model, identity, await cacheFolder(terminal));
  if (fresh) await forget(path);
  const state = await ProbeState.open(path, identity).catch((error: unknown) => {
    throw refused(error, path);
  });
  if (state.size > 0) terminal.note(`Going on with ${state.size} answers in ${path}; --fresh asks anew.`);
  return state;
}

/** The folder of the models, too. */
async function cacheFolder({ io }: Terminal): Promise<string> {
  const { defaultCacheDir } = await import("@toolingua/llama-cpp");
  return defaultCacheDir(io.env);
}
