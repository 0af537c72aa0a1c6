import { stringify } from "yaml";
import { readYaml } from "../notation/yaml/yaml-text.js";
import { mayBeText, textBegins } from "../reply/arguments/lone-text.js";
import { afterBody } from "../reply/forms/match-token.js";
import { type BodyKind, rejecting } from "../reply/readers/body-kind.js";
import { YamlReader } from "../reply/readers/yaml-reader.js";
import type { Plan } from "../schema/plan.js";
import type { YamlBody } from "../syntax/syntax.js";

/** A YAML mapping: see {@link YamlBody}. */
export const yamlBody: BodyKind<YamlBody> = {
  kind: "yaml",
  render: (_, call, { plan, closers }) => renderYaml(call.arguments, plan, closers),
  starts(_, look, at, plan) {
    const isText = mayBeText(look, at, plan) && textBegins(look, at);
    return !isText && look.text.charAt(at) !== "<";
  },
  reader(_, { node, host, gap, repaired }) {
    const call = host.currentCall();
    const closers = afterBody(node).markers.filter((marker) => /^<\/[^<>]+>$/.test(marker));
    const opensCalls = (name: string) => host.opensCalls(name);
    const { plan } = call;
    const emitter = call.argumentEmitter();
    return new YamlReader({ emitter, plan, closers, repaired, rejected: rejecting(host), gap, opensCalls });
  },
};

/**
 * Renders arguments as a YAML mapping, each as a line or a block. If that would be read back as other arguments, or
 * contains the call's closing tag, each value is written as JSON (which is YAML as well) without a `<`.
 */
function renderYaml(args: Record<string, unknown>, plan: Plan, closers: readonly string[]): string {
  const entries = Object.entries(args);
  if (entries.length === 0) return "";
  const yaml = stringify(args, { lineWidth: 0, aliasDuplicateObjects: false });
  const read = readYaml(yaml, plan);
  const isRead = "value" in read && read.repairs.length === 0 && read.rejection === undefined;
  const isSame = isRead && JSON.stringify(read.value) === JSON.stringify(args);
  const names = closers.map((closer) => closer.slice(2, -1).toLowerCase());
  const closes = [...yaml.matchAll(/<\/\s*([^\s<>/]+)/g)].some(([, name = ""]) => names.includes(name.toLowerCase()));
  if (isSame && !closes && !/^</m.test(yaml)) return yaml;
  const json = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");
  return entries.map(([key, value]) => `${json(key)}: ${json(value)}\n`).join("");
}
