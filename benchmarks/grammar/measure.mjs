import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compare, effort, ratio } from "@toolingua/benchmark-timing";
import { estimate, measured, rounded, unknown } from "@toolingua/benchmark-timing/spread.mjs";
import { callSchema, copy, manyTools, tools, wideTool } from "./cases.mjs";
import { calls, nodeLlamaCpp, ours, xgrammar } from "./compilers.mjs";
import { measureHostile } from "./hostile.mjs";

/** Grammars: compile time, length, retained memory. `quick`: a rough look, with unreliable figures. */
export async function measure(quick) {
  return [
    ...(await times(quick)),
    ...sizes(),
    ...(await againstPeers(quick)),
    ...memory(quick),
    ...measureHostile(quick),
  ];
}

const row = (what, value, unit, most, detail) => ({
  ...{ what, value: rounded(value), unit },
  ...(most !== undefined && { most }),
  ...(detail !== undefined && { detail }),
});

/** A row for what was measured in µs; `per`: the unit's, 1000 for ms. */
const timeRow = (what, time, unit, per, most) => ({
  ...{ what, ...estimate([time], (one) => one / per), unit },
  ...(most !== undefined && { most }),
});

async function times(quick) {
  const fresh = (list, protocol, options) => ({
    prepare: () => copy(list),
    run: (set) => calls(set, protocol, options),
  });
  const [one, ten, elements, auto, again, many] = await compare(
    [
      fresh(tools.slice(0, 1)),
      fresh(tools),
      fresh(tools, "am-xml"),
      fresh(tools, "hermes", { toolChoice: "auto" }),
      () => calls(tools),
      fresh(manyTools(200)),
    ],
    effort(quick),
  );
  return [
    timeRow("10 tools, the first grammar of a process", firstOfProcess(quick), "ms", 1),
    timeRow("1 tool, cold", one, "ms", 1000, 1),
    timeRow("10 tools, cold", ten, "ms", 1000, 2),
    timeRow("10 tools, cold, XML elements", elements, "ms", 1000, 2),
    timeRow("10 tools, cold, tool choice auto", auto, "ms", 1000),
    timeRow("10 tools, again", again, "µs", 1, 10),
    timeRow("200 tools, cold", many, "ms", 1000, 50),
  ];
}

/** The fastest of several processes, in ms: nothing is compiled yet, neither grammars nor what makes them. */
function firstOfProcess(quick) {
  const script = fileURLToPath(new URL("first.mjs", import.meta.url));
  const time = () => Number(execFileSync(process.execPath, [script], { encoding: "utf8" }));
  return measured(Array.from({ length: quick ? 1 : 10 }, time));
}

function sizes() {
  const protocols = ["hermes", "llama3-json", "am-xml", "pythonic", "qwen3-coder"];
  const lines = (count) => calls([wideTool(count)]).grammar.split("\n").length;
  return [
    ...protocols.map((protocol) =>
      row(`text of 10 tools, ${protocol}`, calls(copy(tools), protocol).grammar.length, "characters", 10_000),
    ),
    row("rules for 30 optional arguments, against 15", lines(30) / lines(15), "×", 2.1, `${lines(30)} rules`),
  ];
}

async function againstPeers(quick) {
  const schema = (keyword) => () => copy(callSchema(tools, keyword));
  const [own, llama, wasm] = await compare(
    [
      { prepare: schema("oneOf"), run: ours },
      { prepare: schema("oneOf"), run: nodeLlamaCpp },
      { prepare: schema("anyOf"), run: xgrammar },
    ],
    effort(quick),
  );
  const what = "a schema of 10 tools";
  return [ratio(what, own, llama, "node-llama-cpp's converter"), ratio(what, own, wasm, "@mlc-ai/web-xgrammar")];
}

/** In its own process, in which no other grammar was made. */
function memory(quick) {
  const script = fileURLToPath(new URL("memory.mjs", import.meta.url));
  const rows = JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script, quick ? "5" : "100"], { encoding: "utf8" }),
  );
  return quick ? unknown(rows) : rows;
}
