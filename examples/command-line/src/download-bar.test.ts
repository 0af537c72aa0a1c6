import { expect, test, vi } from "vitest";
import { withDownloadBar } from "./download-bar.js";

async function written(load: Parameters<typeof withDownloadBar>[0]) {
  const write = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    const result = await withDownloadBar(load).catch((error) => error);
    return { result, text: write.mock.calls.map(([text]) => text).join("") };
  } finally {
    write.mockRestore();
  }
}

test("shows how far a download is", async () => {
  const { result, text } = await written(async (onProgress) => {
    for (const received of [0, 60e6, 120e6]) onProgress({ model: "gemma3", received, total: 240e6 });
    return "path";
  });
  expect(result).toBe("path");
  expect(text).toMatch(/Downloading gemma3 \[.*\] \d+% of 240 MB/);
});

test("shows nothing where nothing is downloaded", async () => {
  expect(await written(async () => "path")).toEqual({ result: "path", text: "" });
});

test("ends when the download fails", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const broken = new Error("offline");
  const { result } = await written(async (onProgress) => {
    onProgress({ model: "gemma3", received: 1, total: 2 });
    throw broken;
  });
  // A bar that goes on would keep this process alive.
  expect([result, timers()]).toEqual([broken, before]);
});
