import { createHash } from "node:crypto";
import type { z } from "zod";
import { type ConfigIssue, GatewayConfigError } from "../errors.js";
import { mustBe } from "../must-be.js";
import { placeOf } from "../place.js";
import { unknownKey } from "./rules.js";
import { configSchema, type GatewayConfig, type UpstreamConfig } from "./schema.js";

/** The name of one of several upstreams. By default its address, without the parts that may be secret. */
export function upstreamName({ name, baseURL }: UpstreamConfig): string {
  const { origin, pathname } = new URL(baseURL);
  return name ?? origin + pathname.replace(/\/+$/, "");
}

/** The problems of a configuration, each with its path. */
export function configIssues(config: unknown): (ConfigIssue & { steps: readonly PropertyKey[] })[] {
  const { error } = configSchema.safeParse(config, { error: mustBe });
  const found = (error?.issues ?? []).flatMap(ofMeantOption).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(issue);
    const message = issue.path.length > 0 && isMissing(issue, config) ? "is missing" : issue.message;
    return { steps: issue.path, path: placeOf(issue.path), message };
  });
  return found.length > 0 ? found : doubled(config as GatewayConfig);
}

/**
 * Checks a configuration.
 *
 * Errors: {@link GatewayConfigError} `bad-config`.
 */
export function checkConfig(config: unknown): GatewayConfig {
  const issues = configIssues(config).map(({ path, message }) => ({ path, message }));
  if (issues.length > 0) throw new GatewayConfigError("bad-config", issues);
  return config as GatewayConfig;
}

/** A problem for each unknown key of an object. */
function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys) {
  return issue.keys.map((key) => {
    const steps = [...issue.path, key];
    return { steps, path: placeOf(steps), message: unknownKey(key, issue) };
  });
}

/** Of the options of a union: the problems of the only one that allows a value of this type, else that of the union. */
function ofMeantOption(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.filter((option) =>
    option.every(({ code, path }) => path.length > 0 || !OF_TYPE.has(code)),
  );
  if (meant.length !== 1) return [issue];
  return meant.flat().map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The codes of problems with a value as a whole. */
const OF_TYPE: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "custom"]);

function isMissing(issue: z.core.$ZodIssue, config: unknown): boolean {
  if (issue.code === "custom") return false;
  let value: unknown = config;
  for (const step of issue.path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
  return value === undefined;
}

/** Names that occur twice. */
function doubled({ models, server }: GatewayConfig): (ConfigIssue & { steps: readonly PropertyKey[] })[] {
  const seen = new Map<string, string>();
  const issues: (ConfigIssue & { steps: readonly PropertyKey[] })[] = [];
  const see = (kind: string, name: string, steps: readonly PropertyKey[]) => {
    const before = seen.get(`${kind} ${name}`);
    const path = placeOf(steps);
    if (before !== undefined) issues.push({ steps, path, message: `is "${name}", as ${before} is` });
    else seen.set(`${kind} ${name}`, path);
  };
  for (const [i, { name, aliases = [], upstreams = [] }] of models.entries()) {
    see("model", name, ["models", i, "name"]);
    for (const [k, upstream] of upstreams.entries())
      see(`upstream of model ${i}`, upstreamName(upstream), [
        "models",
        i,
        "upstreams",
        k,
        upstream.name === undefined ? "baseURL" : "name",
      ]);
    for (const [k, alias] of aliases.entries()) see("model", alias, ["models", i, "aliases", k]);
  }
  const hashes = new Map<string, string>();
  for (const [i, { name, key, hash }] of (server?.keys ?? []).entries()) {
    see("key", name, ["server", "keys", i, "name"]);
    const steps = ["server", "keys", i, hash === undefined ? "key" : "hash"];
    const known = hash?.toLowerCase() ?? createHash("sha256").update(key!).digest("hex");
    const before = hashes.get(known);
    if (before === undefined) hashes.set(known, placeOf(["server", "keys", i]));
    else issues.push({ steps, path: placeOf(steps), message: `is the key of ${before} too: each name needs its own` });
  }
  return issues;
}
