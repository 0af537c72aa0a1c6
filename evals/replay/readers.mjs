// The readers of a reply: `read(row)` returns its calls, or undefined if the reader cannot decide.
import { peers } from "@toolingua/benchmark-peers";
import { parseReply, protocols } from "@toolingua/core";

/** What the leaderboard calls a format, where we have another name for it. */
const NAMES = {
  llama3_json: "llama3-json",
  mistral_json_list: "mistral-list",
  json_list: "json-list",
  xlam_json: "json-list",
  granite_20b: "granite-20b",
};

/** The protocol for a format that a row names; `auto`, which needs no name, for any other. */
export function protocolOf(format) {
  const name = NAMES[format] ?? format;
  return name !== undefined && Object.hasOwn(protocols, name) ? name : "auto";
}

const ours = (protocolFor) => (row) => parseReply(row.text, { tools: row.tools, protocol: protocolFor(row) }).toolCalls;

export const readers = [
  { name: "Toolingua, told the format", read: ours(({ format }) => protocolOf(format)) },
  { name: "Toolingua, auto", read: ours(() => "auto") },
  { name: "the leaderboard's decoder", read: ({ decoded }) => (decoded === undefined ? undefined : (decoded ?? [])) },
  ...peers.map(({ name, parse }) => ({
    name,
    read: async ({ text, tools }) => (await parse(text, tools)).calls.filter(isCall),
  })),
];

const isCall = ({ arguments: args }) => typeof args === "object" && args !== null && !Array.isArray(args);
