// What of a catalogue reaches the model, in tokens.
import { createGateway } from "@toolingua/gateway";
import { getEncoding } from "js-tiktoken";

const encoding = getEncoding("o200k_base");
export const countTokens = (text) => encoding.encode(text).length;

/** The tokens of the prompt that a model with these options is sent for a request. */
export async function promptTokens(options, request) {
  let prompt = "";
  const model = async function* ({ messages }) {
    prompt = messages.map(({ content }) => content).join("\n");
    yield "Yes.";
  };
  const gateway = createGateway({ models: [{ name: "m", model, protocol: "hermes", ...options }] });
  const body = JSON.stringify({ ...request, model: "m" });
  await gateway.fetch(new Request("http://gateway/v1/chat/completions", { method: "POST", body }));
  await gateway.close();
  return countTokens(prompt);
}
