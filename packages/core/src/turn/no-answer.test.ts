import { describe, expect, it } from "vitest";
import { call, eventsOf, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { collectReply } from "../reply/index.js";

const whole = call({ a: 2, b: 3 });
const json = '{"name": "add", "arguments": {"a": 2, "b": 3}}';
const retry = { onInvalidCall: "retry" } as const;

describe("an empty reply", () => {
  it.each([
    ["nothing", ""],
    ["white space", " \n\n"],
    ["only reasoning", "<think>I should add them.</think>\n"],
  ])("of %s is asked about", async (_, empty) => {
    const { model, requests } = scripted(empty, whole);
    const result = await turnOf(model, retry).result();
    expect(result).toMatchObject({ attempts: 2, toolCalls: [{ name: "add" }] });
    expect(requests[1]?.messages.at(-1)?.content).toContain("no answer");
    const answered = await turnOf(scripted(empty, "It is 5.").model, retry).result();
    expect([answered.text.trim(), answered.attempts]).toEqual(["It is 5.", 2]);
  });

  it("is the answer if the next one is empty too, without retries, and without tools", async () => {
    expect(await turnOf(scripted("").model, retry).result()).toMatchObject({ attempts: 2, text: "", toolCalls: [] });
    expect((await turnOf(scripted("").model).result()).attempts).toBe(1);
    expect((await turnOf(scripted("").model, { ...retry, tools: [] }).result()).attempts).toBe(1);
  });

  it("keeps its reasoning apart from that of the next one", async () => {
    const thoughts = [
      [{ reasoning: "one" }],
      [{ reasoning: " \n" }, { reasoning: " two" }, { reasoning: " three" }, "Five."],
    ];
    const { reasoning } = await turnOf(scripted(...thoughts).model, retry).result();
    expect(reasoning).toBe("one\n\ntwo three");
    const inText = await turnOf(scripted("<think>one</think>", "<think>two</think>Five.").model, retry).result();
    expect(inText.reasoning).toBe("one\n\ntwo");
  });

  it("is asked about with the images of the user", async () => {
    const images = [{ url: "https://example.com/cat.png" }];
    const messages = [{ role: "user" as const, content: "What is this?", images }];
    const { model, requests } = scripted("", whole);
    await turnOf(model, { ...retry, messages }).result();
    expect(requests[1]?.messages.at(-1)).toMatchObject({ images, content: expect.stringContaining("no answer") });
  });

  it("is another matter than a made-up result, which is dropped", async () => {
    const made = '<tool_response>\n{"name": "add", "content": 5}\n</tool_response>';
    expect((await turnOf(scripted(made, whole).model, retry).result()).attempts).toBe(1);
  });

  it("is none if it has content that is not text", async () => {
    const { text, attempts } = await turnOf(scripted([{ content: true }], "And?").model, retry).result();
    expect([text, attempts]).toEqual(["", 1]);
  });

  it("that the token limit or a content filter ended is not asked about", async () => {
    for (const finish of ["length", "content-filter"] as const)
      expect((await turnOf(scripted(["", { finish }]).model, retry).result()).attempts).toBe(1);
  });
});

describe("a reply that ends with a call in a code block", () => {
  const said = `I add them.\n\n\`\`\`json\n${json}\n\`\`\``;

  it.each([
    ["JSON", said],
    ["the format's own tags", `I add them:\n\n~~~xml\n${whole}\n~~~\n`],
    ["a block before a token that ends the turn", `I add them:\n\`\`\`json\n${json}\n\`\`\`<|im_end|>`],
    ["a longer fence", `I add them:\n\n\`\`\`\`\n${whole}\n\`\`\`\`\n`],
  ])("in %s is asked about, and the call that follows is made", async (_, reply) => {
    const { model, requests } = scripted(reply, whole);
    const result = await turnOf(model, retry).result();
    expect(result).toMatchObject({ attempts: 2, toolCalls: [{ arguments: { a: 2, b: 3 } }] });
    expect(result.text.trim()).toBe(reply.replace("<|im_end|>", "").trim());
    expect(requests[1]?.messages.at(-1)?.content).toMatch(/a call of "add" in a code block.*without the code block/s);
  });

  it("is the answer if no call follows", async () => {
    const usage = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 1 } });
    const { model, requests } = scripted(
      [said, usage(1), { finish: "stop" }],
      ["no call", usage(2), { finish: "length" }],
    );
    const turn = turnOf(model, retry);
    const events = await eventsOf(turn);
    const result = await turn.result();
    expect(requests).toHaveLength(2);
    expect(result).toMatchObject({ text: said, raw: said, finish: "stop", attempts: 2, toolCalls: [] });
    expect(result.usage).toEqual({ inputTokens: 3, outputTokens: 2 });
    expect(collectReply(events)).toMatchObject({ text: said, toolCalls: [], invalidToolCalls: [] });
  });

  it("may be followed by a call that must be corrected", async () => {
    const { model } = scripted(said, call({ a: 2 }), whole);
    expect(await turnOf(model, retry).result()).toMatchObject({
      text: said,
      attempts: 3,
      toolCalls: [{ name: "add" }],
    });
    const required = { ...retry, toolChoice: "required" } as const;
    expect(await turnOf(scripted(said, whole).model, required).result()).toMatchObject({
      toolCalls: [{ name: "add" }],
    });
    // Once it has called, the model may also answer.
    const { model: other } = scripted(said, call({ a: 2 }), "I cannot add.");
    const result = await turnOf(other, retry).result();
    expect(result).toMatchObject({ attempts: 3, toolCalls: [], invalidToolCalls: [] });
    expect(result.text).toBe(`${said}\n\nI cannot add.`);
  });

  it.each([
    ["words follow", `${said}\nThat is how.`],
    ["more is in the block", `So:\n\`\`\`\n${json}\n# the result is 5\n\`\`\``],
    ["the tool is unknown", 'So:\n```json\n{"name": "multiply", "arguments": {}}\n```'],
    ["its arguments are wrong", 'So:\n```json\n{"name": "add", "arguments": {"a": 2}}\n```'],
    ["the block has no beginning", `So: ${json}\n\`\`\``],
    ["its language is another one", `So:\n\`\`\`bash\nadd(2, 3)\n\`\`\``],
    ["it is a block in a block", `So:\n\`\`\`\`md\n\`\`\`json\n${json}\n\`\`\`\n\`\`\`\``],
    ["it is other code", "So:\n```js\nadd = (a, b) => a + b;\n```"],
  ])("is the answer at once if %s", async (_, reply) => {
    expect(await turnOf(scripted(reply, whole).model, retry).result()).toMatchObject({ attempts: 1, toolCalls: [] });
  });

  it("is the answer at once if it repeats what a user wrote", async () => {
    const messages = [{ role: "user" as const, content: `What does this do? ${json}` }];
    expect((await turnOf(scripted(said, whole).model, { ...retry, messages }).result()).attempts).toBe(1);
    expect((await turnOf(scripted(said, whole).model).result()).attempts).toBe(1);
  });
});
