import { isDeepStrictEqual } from "node:util";
import type { LanguageModelV3Middleware } from "@ai-sdk/provider";
import {
  hermesToolMiddleware,
  morphXmlToolMiddleware,
  qwen3CoderToolMiddleware,
  yamlXmlToolMiddleware,
} from "@ai-sdk-tool/parser";
import { wrapLanguageModel } from "ai";
import { expect, it } from "vitest";
import { expectTable } from "../../../../test/support/readme-table.js";
import { toolCallingMiddleware } from "../../src/index.js";
import { conversationsIn, type Format } from "./conversations.js";
import { documented } from "./documentation.js";
import { run, type Wrap } from "./run.js";

// The same conversations with this package and with @ai-sdk-tool/parser: only the middleware differs.

const theirs = {
  hermes: hermesToolMiddleware,
  "qwen3-coder": qwen3CoderToolMiddleware,
  "tool-tags": morphXmlToolMiddleware,
  yaml: yamlXmlToolMiddleware,
};
const scripted = (["hermes", "qwen3-coder"] as const).flatMap((format) =>
  conversationsIn(format).map((conversation) => ({ format, conversation })),
);
const all = [...scripted, ...documented.map((conversation) => ({ format: conversation.format, conversation }))];

const wrapWith =
  (middleware: LanguageModelV3Middleware): Wrap =>
  (model) =>
    wrapLanguageModel({ model, middleware });

async function compare(middlewareOf: (format: Format) => LanguageModelV3Middleware) {
  const rows = [];
  for (const { format, conversation } of all) {
    const wrap = wrapWith(middlewareOf(format));
    const [whole, streamed] = [await run(conversation, wrap, false), await run(conversation, wrap, true)];
    rows.push({ format, conversation, whole, streamed, agree: isDeepStrictEqual(alike(whole), alike(streamed)) });
  }
  return rows;
}

type Row = Awaited<ReturnType<typeof compare>>[number];
type Half = Row["whole"];

const alike = ({ outcome: { runs, text, finishReasons } }: Awaited<ReturnType<typeof run>>) => ({
  runs,
  text: text.trim(),
  finishReasons,
});
const calls = ({ conversation }: Row) => conversation.expected.runs.length > 0;
const ends = ({ outcome: { runs, finishReasons } }: Half) => runs.length > 0 && finishReasons[0] === "tool-calls";
const joins = ({ outcome }: Half) => outcome.runs.length > 0 && outcome.joins;
const count = (rows: readonly Row[], is: (row: Row) => boolean) => String(rows.filter(is).length);

/** The cells of some conversations: right whole, right streamed, and whether both halves agree. */
const cells = (rows: readonly Row[]) => [
  count(rows, ({ whole }) => whole.right),
  count(rows, ({ streamed }) => streamed.right),
  count(rows, ({ agree }) => agree),
];

it("reads the meant calls, whole and streamed alike; the migration page has the table", async () => {
  const ours = await compare((protocol) => toolCallingMiddleware({ protocol }));
  const peer = await compare((format) => theirs[format]);
  expect(scripted).toHaveLength(100);
  expect(ours.filter(({ agree }) => !agree)).toEqual([]);
  const ran = ours.filter((row) => calls(row) && row.whole.right);
  expect(ran.filter(({ whole, streamed }) => !ends(whole) || !ends(streamed) || !joins(streamed))).toEqual([]);
  const wrong = ours.filter(({ whole, streamed }) => !whole.right || !streamed.right);
  expect(wrong.map(({ conversation }) => conversation.name)).toEqual([]);

  const groups = [...new Set(all.map(({ conversation }) => conversation.group))];
  const rowOf = (name: string, is: (row: Row) => boolean) => [
    name,
    count(ours, is),
    ...[ours, peer].flatMap((rows) => cells(rows.filter(is))),
  ];
  const finishing = [ours, peer].flatMap((rows) => [
    count(rows, ({ whole }) => ends(whole)),
    count(rows, ({ streamed }) => ends(streamed)),
    "",
  ]);
  const joining = [ours, peer].flatMap((rows) => ["", count(rows, ({ streamed }) => joins(streamed)), ""]);
  expectTable(
    new URL("../../../../docs/from-ai-sdk-tool-parser.md", import.meta.url),
    [
      ["conversations", "of", "whole", "streamed", "agree", "peer: whole", "peer: streamed", "peer: agree"],
      ...groups.map((group) => rowOf(group, ({ conversation }) => conversation.group === group)),
      rowOf("all", () => true),
      ["a call ran, and the finish reason says so", count(ours, calls), ...finishing],
      ["a call ran, and its deltas join to its input", count(ours, calls), ...joining],
    ],
    { command: "TOOLINGUA_WRITE=1 npx vitest run packages/ai-sdk/test/peer" },
  );
});
