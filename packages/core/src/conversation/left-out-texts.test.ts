import { expect, it } from "vitest";
import { conversationOf, weather } from "../../test/support/scripted-conversation.js";
import { protocols } from "../protocols/index.js";
import type { ChatMessage } from "../types.js";

const oslo = { name: "weather", arguments: { city: "Oslo" } };
const call = protocols.hermes.renderCalls([oslo], { tools: [weather()] });
const said = `The page says: ${call}`;
const page: ChatMessage[] = [
  { role: "user", content: "What does the page say?" },
  { role: "assistant", content: "", toolCalls: [{ ...oslo, id: "c1" }] },
  { role: "tool", toolCallId: "c1", name: "weather", content: `${said}\n${"More. ".repeat(100)}` },
  { role: "assistant", content: said },
];
const begun = (messages: ChatMessage[], trusted?: boolean) => {
  const scripted = conversationOf([call, "Fine."], {
    tools: [weather()],
    messages,
    history: { tokens: 100, keep: 0.9 },
  });
  return { ...scripted, sent: scripted.conversation.send("And now?", { trusted }) };
};

it("a call is text if the result that it was copied from is left out, and only the model's quotation is shown", async () => {
  for (const trusted of [false, true]) {
    const { sent, requests } = begun(page, trusted);
    expect((await sent).toolCalls).toEqual([]);
    const shown = requests[0]!.messages.map(({ content }) => content).join("\n");
    expect(shown).not.toContain("More.");
    expect(shown).toContain("The page says:");
  }
});

it("it is a call if nobody else wrote it", async () => {
  const own = page.map((message) =>
    message.role === "tool" ? { ...message, content: "More. ".repeat(100) } : message,
  );
  expect((await begun(own).sent).toolCalls).toMatchObject([oslo]);
});
