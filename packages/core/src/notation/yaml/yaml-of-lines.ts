import type { Plan } from "../../schema/plan.js";
import { BLOCK } from "../lines.js";
import { type Entry, entriesOf, holdsOther } from "../loose-lines.js";

const MAX_LEVELS = 16;

/**
 * The YAML mapping that is meant by lines `key: value` with other separators (`key=value`, `key:value`), a comma or
 * semicolon at the end of each, tabs before them, or one dash for each. The same text if there is nothing to change, or if
 * the lines can be read in more than one way: each that is not indented deeper must name a declared argument, and none twice.
 *
 * @example yamlOfLines("city = Ulm\ndays = 2", planFor(schema)); // "city: Ulm\ndays: 2"
 */
export function yamlOfLines(text: string, plan: Plan): string {
  const source = text.replaceAll("\r\n", "\n");
  const yaml = asYaml(source, plan, 0);
  return yaml === undefined || yaml.trimEnd() === source.trimEnd() ? text : yaml;
}

function asYaml(text: string, plan: Plan, depth: number): string | undefined {
  const found = depth < MAX_LEVELS ? entriesOf(text, plan) : undefined;
  if (!found) return undefined;
  const { level, head, entries } = found;
  const written = entries.map(({ key, plan: part, value, lines, isAssigned }) => {
    if (mayHideMore({ key, plan: part, value, lines, isAssigned }, plan)) return undefined;
    const below = lines.join("\n");
    const inside = value === "" && part.kind === "object" ? asYaml(below, part, depth + 1) : undefined;
    const line = `${" ".repeat(level)}${key}:${value && " "}${value}`;
    return lines.length > 0 ? `${line}\n${inside ?? below}` : line;
  });
  return written.includes(undefined) ? undefined : [...head, ...written].join("\n");
}

/** Whether a plain value may contain another argument in the lines below it, or what YAML reads as a comment. */
const mayHideMore = ({ value, lines, isAssigned }: Entry, plan: Plan): boolean =>
  (isAssigned && /(?:^|\s)#/.test(value)) ||
  (value !== "" && !BLOCK.test(value) && !/^["'`[{]/.test(value) && lines.some((line) => holdsOther(line, plan)));
