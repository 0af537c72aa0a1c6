import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// The built packages, each loaded twice into one program.

const packages = fileURLToPath(new URL("../packages", import.meta.url));
const copies = `
import { createRequire } from "node:module";
const require = createRequire(process.cwd() + "/");
const copies = async (name) => [await import(name), require(name)];
const [core, coreCjs] = await copies("@toolingua/core");`;

function answered(folder: string, script: string): unknown {
  const source = `${copies}\n${script}`;
  const how = { cwd: join(packages, folder), encoding: "utf8", stdio: "pipe" } as const;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", source], how));
}

it("a package that is loaded as ES module and as CommonJS recognises its errors and models in either", () => {
  const langchain = `
import { FakeListChatModel } from "@langchain/core/utils/testing";
const [esm, cjs] = await copies("@toolingua/langchain");
const answers = [core.ToolinguaError === coreCjs.ToolinguaError];
for (const [one, other, its] of [[core, coreCjs, esm], [coreCjs, core, cjs]]) {
  const error = new one.OptionsError("bad-option", "No.");
  answers.push(error instanceof other.OptionsError, error instanceof other.ToolinguaError);
  answers.push(error instanceof other.ProtocolError || error instanceof one.ProtocolError);
  answers.push([undefined, null, "No.", {}, new Error("No.")].some((no) => no instanceof other.ToolinguaError));
  const inner = new FakeListChatModel({ responses: ["Hi"] });
  const model = its.withToolCalling(inner);
  const another = its === esm ? cjs : esm;
  answers.push(model instanceof another.ToolCallingChatModel, inner instanceof another.ToolCallingChatModel);
}
console.log(JSON.stringify(answers));`;
  const either = [true, true, false, false, true, false];
  expect(answered("langchain", langchain)).toEqual([false, ...either, ...either]);
  const llamaindex = `
const [esm, cjs] = await copies("@toolingua/llamaindex");
const llm = { chat() {}, metadata: {} };
let error;
try { cjs.withToolCalling({}); } catch (thrown) { error = thrown; }
console.log(JSON.stringify([cjs.withToolCalling(llm) instanceof esm.ToolCallingLLM, error instanceof esm.ModelError]));`;
  expect(answered("llamaindex", llamaindex)).toEqual([true, true]);
});
