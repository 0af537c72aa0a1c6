import { expect } from "vitest";
import { reply, scriptedServer, stream } from "../../../../endpoints/test/support/scripted-server.js";

/** A model's server, whose model calls `get_weather`. */
export const upstream = () =>
  scriptedServer(stream(reply('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>')));

/** The options of a launch on such a server. */
export async function onModel(): Promise<string[]> {
  const { baseURL } = await upstream();
  return ["--upstream", baseURL, "--model", "qwen2.5:7b"];
}

/** What a client of Anthropic's API is answered by that model. */
export const answer = [{ type: "tool_use", id: expect.any(String), name: "get_weather", input: { city: "Oslo" } }];
