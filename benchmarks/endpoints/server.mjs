// A server in its own process: POST /COUNT/chat/completions streams COUNT deltas, /COUNT-MS/… one every MS ms. Prints
// its port.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const delta = (content, finish_reason = null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-RtAiIXyaYoxmY2ut4CuZ4ACwPEeoA1IG",
    object: "chat.completion.chunk",
    created: 1795376893,
    model: "model",
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason }],
  })}\n\n`;
const end = `${delta("", "stop")}data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9}}\n\ndata: [DONE]\n\n`;
/** Not one word over and over, at which LiteLLM ends a stream. */
const pieces = [" a", " model", " writes", " one", " word", " after", " the", " other"].map((word) => delta(word));

const server = createServer((request, response) => {
  request.resume().once("end", async () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const [count, pause] = request.url.split("/")[1].split("-").map(Number);
    for (let i = 0; i < count; i++) {
      // Each in its own packet, as tokens arrive.
      response.write(pieces[i % pieces.length]);
      if (pause) await sleep(pause);
      else if (count > 1) await new Promise(setImmediate);
    }
    response.end(end);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().once("end", () => process.exit());
