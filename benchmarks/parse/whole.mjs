// Whole replies: against the peers, and against JSON.parse.
import { compare, effort, ratio } from "@toolingua/benchmark-timing";
import { cases } from "./cases.mjs";
import { ours, peers } from "./parsers.mjs";

export async function measureWhole(quick) {
  const rows = [];
  for (const { title, protocol, peer, peerProtocol, reply, payload } of cases) {
    const { name, parse } = peers[peer];
    const [own, other, json] = await compare(
      [
        () => ours.parse(protocol, reply),
        () => parse(peerProtocol, reply),
        ...(payload ? [() => JSON.parse(payload)] : []),
      ],
      effort(quick),
    );
    rows.push(ratio(title, own, other, name, peer === "aiSdk" ? 0.25 : undefined));
    if (payload) rows.push(ratio(title, own, json, "JSON.parse", reply.length > 10_000 ? 5 : undefined));
  }
  return rows;
}
