// What only one process may do at a time: a lock in Redis, which a holder that dies loses after a while.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";

const LOOK = 500;

/** Acquires a free lock, or extends our own; returns its owner. A restarted Redis has lost its locks. */
const TAKE = `
local holder = redis.call("get", KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2])
return ARGV[1]`;
const RELEASE = `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[1]) end`;

/**
 * Holds the lock with a name until `release()`. `lease`: how long a holder may be silent, in milliseconds; a lock is waited
 * for as long, because it may be that of a dead process, then `refusal` is thrown with the owner. `check()` throws the same
 * once another process owns the lock, after this one was suspended for too long.
 */
export async function hold(url, name, lease, refusal) {
  const redis = new Redis(url);
  redis.on("error", () => {}); // it connects again
  const me = `process ${process.pid} on ${hostname()} (${randomUUID()})`;
  let holder = await take().catch((error) => {
    redis.disconnect();
    throw error;
  });
  const patience = Date.now() + lease + LOOK;
  while (holder !== me && Date.now() < patience) {
    await sleep(LOOK);
    holder = await take();
  }
  function check() {
    if (holder !== me) throw new Error(refusal(holder.replace(/ \(.*/, "")));
  }
  async function take() {
    return redis.eval(TAKE, 1, name, me, lease);
  }
  const renewal = setInterval(async () => {
    holder = await take().catch(() => holder);
  }, lease / 4);
  async function release() {
    clearInterval(renewal);
    await redis.eval(RELEASE, 1, name, me).catch(() => {}); // then it ends by itself
    redis.disconnect();
  }
  if (holder !== me) await release();
  check();
  return { check, release };
}
