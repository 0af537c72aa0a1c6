import { shallowJson } from "@toolingua/core/adapters";
import { listAt } from "../../json.js";
import { pass, type Verdict } from "../check.js";
import { type SendOptions, type Sent, send } from "../wire/exchange.js";

// Whether a disconnect ends the model's work. The client gets no response that shows it. So this reads the server's
// count of running requests if there is one, and otherwise measures how long the next question waits.

/** Matches the names of the metrics for running requests in the text of `/metrics`. */
const RUNNING =
  /^(?:toolingua_requests_running|vllm:num_requests_running|sglang:num_running_reqs|llamacpp:requests_processing)(?:\{[^}]*\})? (\S+)/gm;

/** How many requests a server is answering; `undefined` if it does not report it. */
async function running(
  root: string,
  headers: Record<string, string>,
  options: SendOptions,
): Promise<number | undefined> {
  const ask = (path: string) => send({ method: "GET", url: root + path, headers }, options);
  const metrics = await ask("/metrics");
  const counts = metrics.status === 200 ? [...metrics.text.matchAll(RUNNING)].map(([, count]) => Number(count)) : [];
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0);
  const slots = await ask("/slots");
  const list = slots.status === 200 ? shallowJson(slots.text) : undefined;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return listAt({ list }, "list").filter((slot) => JSON.stringify(slot)?.includes('"is_processing":true')).length;
}

/** The requests of an abort test. */
interface AbortTrial extends SendOptions {
  root: string;
  /** The request of a long stream. */
  long: Sent;
  /** A short question. */
  short: Sent;
  /** The usual time of the short question, in ms. */
  usual: number;
  /** How much longer the short question may take, and how long the count may stay up, in ms. */
  patience: number;
}

const EVERY = 50;

/** Disconnects from a long stream after its first event, and checks whether the server continues. */
export async function tryAbort(trial: AbortTrial): Promise<Verdict> {
  const { root, long, short, usual, patience, ...options } = trial;
  const before = await running(root, long.headers, options);
  const left = await send(long, { ...options, leaveWhen: (events) => events.length >= 2 });
  if (left.ending !== "aborted")
    return { status: "unseen", seen: `the long stream was over before it was left (${left.problem ?? left.ending})` };
  if (before !== undefined) {
    const until = performance.now() + patience;
    for (;;) {
      const now = await running(root, long.headers, options);
      if (now !== undefined && now <= before) return pass("the server counts one request less at once");
      if (performance.now() > until)
        return { status: "fault", seen: `${patience / 1000} s later the server still counts ${now ?? "the"} requests` };
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
  }
  const most = 3 * usual + patience;
  const next = await send(short, { ...options, timeout: most });
  if (next.ending === "complete" && next.status < 500)
    return pass(`the next question is answered after ${next.ms} ms (${usual} ms before)`);
  return {
    status: "fault",
    seen: `the next question is not answered within ${Math.round(most)} ms (${usual} ms before): ${next.problem ?? next.status}`,
  };
}
