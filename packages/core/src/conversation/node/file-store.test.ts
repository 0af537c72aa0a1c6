import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { callOf, conversationOf, weather } from "../../../test/support/scripted-conversation.js";
import { type ConversationRecord, memoryStore, ToolConversation } from "../index.js";
import { fileStore } from "./index.js";

const folder = mkdtempSync(join(tmpdir(), "toolingua-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, "deep", `${files++}.jsonl`);

const record = (n: number): ConversationRecord => ({ at: n, type: "end", stopReason: "answer", ms: n });

describe.each([
  ["in memory", () => memoryStore()],
  ["in a file", () => fileStore(newPath())],
  ["in a file, without sync", () => fileStore(newPath(), { sync: false })],
] as const)("a store %s", (_, make) => {
  it("returns the appended records from any index on", async () => {
    const store = make();
    expect(await store.read()).toEqual([]);
    await store.append([record(0), record(1)], 0);
    await store.append([record(2)], 2);
    expect(await store.read()).toEqual([record(0), record(1), record(2)]);
    expect(await store.read(2)).toEqual([record(2)]);
    expect(await store.read(3)).toEqual([]);
  });

  it("refuses records that do not follow, and stores none of them", async () => {
    const store = make();
    await store.append([record(0)], 0);
    for (const expected of [0, 2]) {
      await expect(store.append([record(1), record(2)], expected)).rejects.toMatchObject({
        code: "conflict",
        expected,
        found: 1,
      });
    }
    expect(await store.read()).toEqual([record(0)]);
  });

  it("accepts very many records at once", async () => {
    const store = make();
    const many = Array.from({ length: 130_000 }, (_, n) => record(n));
    await store.append(many, 0);
    expect(await store.read(129_999)).toEqual([record(129_999)]);
  });

  it("accepts one of many concurrent appends", async () => {
    const store = make();
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => store.append([record(n)], 0)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await store.read()).toHaveLength(1);
  });
});

describe("a file", () => {
  it("is refused if it is a folder", async () => {
    const error = {
      name: "ConversationLogError",
      code: "bad-log",
      message: `${folder} is a folder, not the log of a conversation.`,
    };
    await expect(fileStore(folder).read()).rejects.toMatchObject(error);
    await expect(fileStore(folder).append([record(0)], 0)).rejects.toMatchObject(error);
  });

  it("of which only a part could be written is an error, and has none of its records", async () => {
    const path = newPath();
    const store = fileStore(path);
    await store.append([record(0)], 0);
    const handle = await open(path, "a");
    const write = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "write");
    await handle.close();
    write.mockImplementationOnce((async (bytes: Buffer) => {
      appendFileSync(path, bytes.subarray(0, 9));
      return { bytesWritten: 9, buffer: bytes };
    }) as never);
    await expect(store.append([record(1)], 1)).rejects.toMatchObject({
      name: "ConversationStoreError",
      code: "partial-write",
      message: expect.stringContaining("is the disk full?"),
    });
    write.mockRestore();
    await store.append([record(2)], 1);
    expect(await fileStore(path).read()).toEqual([record(0), record(2)]);
  });

  it("stores a conversation that another process resumes", async () => {
    const path = newPath();
    const { conversation, model } = conversationOf([{ calls: [callOf("weather", { city: "Oslo" })] }, "Fine."], {
      tools: [weather({ needsApproval: true })],
      store: fileStore(path),
    });
    const { pending } = await conversation.run("Weather?").result();
    const tool = weather({ needsApproval: true });
    const again = await ToolConversation.resume({ store: fileStore(path), model, tools: [tool], protocol: "hermes" });
    await again.decide(pending[0]!.call.id, { type: "approve" });
    expect((await again.run().result()).text).toBe("Fine.");
    expect(tool.runs).toHaveLength(1);
    expect(await fileStore(path).read()).toEqual(again.log);
  });

  it("may be truncated anywhere: an incomplete record is ignored", async () => {
    const path = newPath();
    await fileStore(path).append([record(0)], 0);
    const first = readFileSync(path).length;
    await fileStore(path).append([record(1), record(2)], 1);
    const whole = readFileSync(path);
    for (let length = first; length <= whole.length; length++) {
      const cut = newPath();
      await fileStore(cut).append([record(0)], 0);
      writeFileSync(cut, whole);
      truncateSync(cut, length);
      const store = fileStore(cut);
      const stored = await store.read();
      // Only the end of the line is missing in the last but one.
      expect(stored).toHaveLength(length >= whole.length - 1 ? 3 : 1);
      await store.append([record(7)], stored.length);
      expect(await store.read()).toEqual([...stored, record(7)]);
      expect(await fileStore(cut).read()).toEqual([...stored, record(7)]);
    }
  });

  it.each(["\0\0\0\0", '{"fr\0\0', '{"from":1,"by":"x\0'])(
    "may end with the remains of a power failure: %j",
    async (tail) => {
      const path = newPath();
      await fileStore(path).append([record(0)], 0);
      appendFileSync(path, tail);
      await fileStore(path).append([record(1)], 1);
      expect(await fileStore(path).read()).toEqual([record(0), record(1)]);
    },
  );

  it("with another incomplete end is refused before anything is written", async () => {
    const path = newPath();
    await fileStore(path).append([record(0)], 0);
    appendFileSync(path, "Hello.");
    const before = readFileSync(path, "utf8");
    await expect(fileStore(path).append([record(1)], 1)).rejects.toMatchObject({ code: "bad-log" });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(await fileStore(path).read()).toEqual([record(0)]);
  });

  it("is read on by a store that has already read a part", async () => {
    const path = newPath();
    const [one, two] = [fileStore(path), fileStore(path)];
    for (let n = 0; n < 6; n++) {
      const [writer, reader] = n % 2 === 0 ? [one, two] : [two, one];
      await writer.append([record(n)], n);
      expect(await reader.read(n)).toEqual([record(n)]);
    }
    // Two who have read the same: the line of the second one does not count.
    await one.append([record(6)], 6);
    await expect(two.append([record(7)], 6)).rejects.toMatchObject({ code: "conflict", found: 7 });
  });

  it.each(["Hello.\n", '{"a": 1}\n', "[]\n", '{"from":5,"by":"x","records":[]}\n'])(
    "with invalid content is refused: %s",
    async (content) => {
      const path = newPath();
      await fileStore(path).append([record(0)], 0);
      appendFileSync(path, content);
      await expect(fileStore(path).read()).rejects.toMatchObject({ code: "bad-log" });
    },
  );

  it("with a damaged line says after how many records it is", async () => {
    const path = newPath();
    const store = fileStore(path);
    await store.append([record(0), record(1)], 0);
    writeFileSync(path, `${readFileSync(path, "utf8")}garbage\n`);
    await expect(fileStore(path).read()).rejects.toMatchObject({
      code: "bad-log",
      message: `${path} has a damaged line after its 2 records: "garbage"`,
    });
    writeFileSync(path, "A diary.\n");
    await expect(fileStore(path).read()).rejects.toThrow("is not the log of a conversation");
  });

  it("is written by several writers at once without losing a record", async () => {
    const path = newPath();
    // Each has a store of its own, as processes have, and reads again after each conflict.
    const write = async (ms: number) => {
      const store = fileStore(path, { sync: false });
      for (let stored = 0; stored < 20; ) {
        const { length } = await store.read();
        const done = await store.append([{ ...record(stored), ms } as ConversationRecord], length).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ code: "conflict" });
            return false;
          },
        );
        if (done) stored += 1;
      }
    };
    await Promise.all([1, 2, 3, 4].map(write));
    const records = await fileStore(path).read();
    expect(records).toHaveLength(80);
    for (const ms of [1, 2, 3, 4]) {
      const own = records.filter((one) => one.type === "end" && one.ms === ms);
      expect(own.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    }
  });
});
