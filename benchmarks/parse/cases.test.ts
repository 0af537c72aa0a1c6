import { expect, test } from "vitest";
import { cases } from "./cases.mjs";
import { ours, peers } from "./parsers.mjs";

// What is compared must be the same work. The peer takes long for 50 KB.
test.each(cases)("both parsers read the call: $title", async ({ protocol, peer, peerProtocol, name, args, reply }) => {
  expect(ours.calls(ours.parse(protocol, reply))).toEqual([{ name, args }]);
  const { parse, calls } = peers[peer as keyof typeof peers];
  if (reply.length < 10_000) expect(calls(await parse(peerProtocol, reply))).toEqual([{ name, args }]);
});
