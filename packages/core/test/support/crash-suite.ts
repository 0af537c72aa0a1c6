import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ConversationTool,
  type Decision,
  fold,
  type PendingCall,
  ToolConversation,
} from "../../src/conversation/index.js";
import type { TextModel } from "../../src/index.js";
import { Crash, callOf, crashingStore, type ScriptedReply, written } from "./scripted-conversation.js";

type OnCrash = NonNullable<ConversationTool["onCrash"]>;

interface Plan {
  /** The replies of the model; after the last one it writes "Done." */
  replies: { tool: number; n: number }[][];
  tools: {
    onCrash: OnCrash;
    needsApproval: boolean;
    exclusive: boolean;
    fails: boolean;
    /** Without `execute`: the application supplies the results. */
    isClients: boolean;
  }[];
  decisions: Decision["type"][];
  concurrency: number;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  replies: fc.array(fc.array(fc.record({ tool: fc.nat(3), n: fc.nat(3) }), { minLength: 1, maxLength: 3 }), {
    maxLength: 3,
  }),
  tools: fc.array(
    fc.record({
      onCrash: fc.constantFrom<OnCrash>("ask", "rerun", "fail"),
      needsApproval: fc.boolean(),
      exclusive: fc.boolean(),
      fails: fc.boolean(),
      isClients: fc.boolean(),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  decisions: fc.array(fc.constantFrom<Decision["type"]>("approve", "reject", "edit", "respond"), {
    minLength: 1,
    maxLength: 4,
  }),
  concurrency: fc.integer({ min: 1, max: 3 }),
});

interface Execution {
  callId: string;
  key: string;
  tool: string;
  /** The contents of the store when it ran. */
  wasStarted: boolean;
  wasSettled: boolean;
}

const decisionOf = (type: Decision["type"]): Decision =>
  type === "edit"
    ? { type, arguments: { n: 7 } }
    : type === "respond"
      ? { type, content: "It is seven." }
      : type === "reject"
        ? { type, message: "Better not." }
        : { type };

const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

/** What happens in one conversation. */
interface World {
  store: ReturnType<typeof crashingStore>;
  executions: Execution[];
}

/** The tools of a plan, which act on the world `now`. Created once, so that their compiled schemas are reused. */
function toolsOf(plan: Plan, now: { world: World }): ConversationTool[] {
  return plan.tools.map(({ onCrash, needsApproval, exclusive, fails, isClients }, i): ConversationTool => {
    const name = `t${i}`;
    if (isClients) return { name, parameters };
    return {
      ...{ name, parameters, onCrash, needsApproval, exclusive },
      async execute(_, { toolCallId: callId, idempotencyKey = "" }) {
        const { store, executions } = now.world;
        const log = await store.read();
        const has = (type: string) =>
          log.some((record) => record.type === type && "callId" in record && record.callId === callId);
        const wasStarted = has("call-started");
        executions.push({ callId, key: idempotencyKey, tool: name, wasStarted, wasSettled: has("call-settled") });
        if (fails) throw new Error("broken");
        return "done";
      },
    };
  });
}

/**
 * Runs the conversations of a plan, and resumes each after every crash. `crashes`: how many records each process
 * stores.
 */
function living(plan: Plan) {
  const now = {} as { world: World };
  const tools = toolsOf(plan, now);
  return (crashes: number[]) => {
    now.world = { store: crashingStore(crashes[0] ?? Number.POSITIVE_INFINITY), executions: [] };
    return live(plan, crashes, tools, now.world);
  };
}

async function live(plan: Plan, crashes: number[], tools: ConversationTool[], { store, executions }: World) {
  /** Calls with an unknown outcome that a person let run once more. */
  const allowed = new Map<string, number>();
  let ids = 0;
  let decided = 0;
  const model: TextModel = async function* ({ messages }) {
    // The reply depends on the messages, not on the number of requests.
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const calls = plan.replies[turn];
    const reply: ScriptedReply = calls ? { calls: calls.map(({ tool, n }) => callOf(`t${tool}`, { n })) } : "Done.";
    yield* written(reply);
  };
  const options = {
    ...{ model, tools, store, concurrency: plan.concurrency, protocol: "hermes" as const },
    maxIdenticalCalls: Number.POSITIVE_INFINITY,
    generateId: () => `c${ids++}`,
  };
  const answer = async (conversation: ToolConversation, { call, why, argumentsHash }: PendingCall) => {
    const type = why === "result" ? "respond" : (plan.decisions[decided++ % plan.decisions.length] ?? "approve");
    await conversation.decide(call.id, decisionOf(type), { argumentsHash });
    if (why === "unknown-outcome" && type !== "reject" && type !== "respond") {
      allowed.set(call.id, (allowed.get(call.id) ?? 0) + 1);
    }
  };
  for (let process = 0; ; process++) {
    try {
      const conversation = await ToolConversation.resume(options);
      const hasBegun = conversation.log.some(({ type }) => type === "user");
      let result = await conversation.run(hasBegun ? undefined : "Go.").result();
      while (result.pending.length > 0) {
        for (const pending of result.pending) await answer(conversation, pending);
        result = await conversation.run().result();
      }
      return { result, log: await store.read(), executions, allowed, plan };
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      // After the end of the process nothing more happens.
      await new Promise((resolve) => setImmediate(resolve));
      store.alive = true;
      store.limit = crashes[process + 1] ?? Number.POSITIVE_INFINITY;
    }
  }
}

/** The laws. `expect` is too slow for a million calls, so it is called only for violations. */
function check({ result, log, executions, allowed, plan }: Awaited<ReturnType<typeof live>>) {
  const broken: unknown[] = [];
  const holds = (isTrue: boolean, what: string, about?: unknown) => {
    if (!isTrue) broken.push([what, about]);
  };
  holds(result.stopReason === "answer" && result.text === "Done.", "it comes to its answer", result);
  for (const execution of executions) {
    holds(execution.wasStarted, "a call is stored as started before it runs", execution);
    holds(!execution.wasSettled, "a call with a result never runs again", execution);
  }
  const proposed = log.flatMap((record) => (record.type === "reply" ? record.calls : []));
  holds(proposed.length === plan.replies.flat().length, "each call is made once", proposed);
  const { calls, messages } = fold(log);
  for (const call of proposed) {
    const { id, name } = call;
    const settled = log.filter((record) => record.type === "call-settled" && record.callId === id);
    holds(settled.length <= 1, "no call has two results", call);
    holds(calls.get(id)?.result !== undefined, "no call is lost", call);
    const results = messages.filter((message) => message.role === "tool" && message.toolCallId === id);
    holds(results.length === 1, "each result is shown once", call);
    const ran = executions.filter(({ callId }) => callId === id);
    const tool = plan.tools[Number(name.slice(1))]!;
    const byPerson = allowed.get(id) ?? 0;
    holds(tool.onCrash === "rerun" || ran.length <= 1 + byPerson, "no call runs twice", call);
    const isEdited = log.some(
      (record) => record.type === "decision" && record.callId === id && record.decision.type === "edit",
    );
    const keys = new Set(ran.map(({ key }) => key));
    holds(isEdited || keys.size <= 1, "each attempt has the same key", call);
  }
  const keys = new Map(executions.map(({ key, callId }) => [key, callId]));
  for (const { key, callId } of executions) holds(keys.get(key) === callId, "no two calls have the same key", key);
  expect(broken).toEqual([]);
}

/** A crash at every record boundary of random conversations, and several crashes in one. Prints its progress. */
export function describeCrashes(runs: number): void {
  describe("a conversation that crashes", () => {
    const timeout = runs * 2_000 + 60_000;

    it(
      `continues from its log, wherever that ends (${runs} conversations)`,
      async () => {
        let crashes = 0;
        let done = 0;
        await fc.assert(
          fc.asyncProperty(plans, async (plan) => {
            const lived = living(plan);
            const whole = await lived([]);
            check(whole);
            for (let records = 1; records < whole.log.length; records++) check(await lived([records]));
            crashes += whole.log.length - 1;
            done += 1;
            if (done % 500 === 0) console.log(`${done} conversations, ${crashes} crashes`);
          }),
          { numRuns: runs },
        );
      },
      timeout,
    );

    it(
      "continues after several crashes, also during recovery",
      async () => {
        await fc.assert(
          fc.asyncProperty(plans, fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }), async (plan, steps) => {
            let at = 0;
            check(await living(plan)(steps.map((step) => (at += step))));
          }),
          { numRuns: runs },
        );
      },
      timeout,
    );
  });
}
