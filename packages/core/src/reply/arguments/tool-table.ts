import { bareSpelling } from "../../schema/spelling.js";
import { mayBecome, meantSpellings } from "../../syntax/spelling.js";
import type { ToolDefinition } from "../../types.js";

const tables = new WeakMap<readonly ToolDefinition[], ToolTable>();

/** The tools that a reply may call. */
export class ToolTable {
  private named: ReadonlyMap<string, ToolDefinition> | undefined;
  private bySpelling: ReadonlyMap<string, ToolDefinition | undefined> | undefined;
  /** Whether the tools are known; if not, every name and all arguments pass. */
  readonly areKnown: boolean;
  readonly list: readonly ToolDefinition[];

  private static readonly unknown = new ToolTable(undefined);

  private constructor(tools: readonly ToolDefinition[] | undefined) {
    this.areKnown = tools !== undefined;
    this.list = [...(tools ?? [])];
  }

  private get byName(): ReadonlyMap<string, ToolDefinition> {
    this.named ??= new Map(this.list.map((tool) => [tool.name, tool]));
    return this.named;
  }

  /** The tool with exactly this name. */
  get(name: string): ToolDefinition | undefined {
    return this.byName.get(name);
  }

  /** Whether there is a tool with exactly this name. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** The table of a list of tools; without a list the tools are unknown. Cached per array, unless the array changes. */
  static of(tools: readonly ToolDefinition[] | undefined): ToolTable {
    if (!tools) return ToolTable.unknown;
    let table = tables.get(tools);
    if (table?.list.length !== tools.length || !table.list.every((tool, i) => tool === tools[i])) {
      table = new ToolTable(tools);
      tables.set(tools, table);
    }
    return table;
  }

  /**
   * The tool that is meant: of that name, or the only one of one of its {@link meantSpellings}.
   */
  resolve(written: string): { name: string; tool?: ToolDefinition } | undefined {
    if (!this.areKnown) return written === "" ? undefined : { name: written };
    const tool = this.byName.get(written) ?? this.alike(written);
    return tool && { name: tool.name, tool };
  }

  /** Whether a name means a tool; if the tools are unknown, every name does. */
  knows(written: string): boolean {
    return this.resolve(written) !== undefined;
  }

  /** Whether a text may be the beginning of a tool's name, as {@link resolve} reads it. */
  mayBegin(written: string): boolean {
    if (!this.areKnown) return true;
    return this.list.some(({ name }) => name.startsWith(written) || mayBecome(written, bareSpelling(name)));
  }

  /** The tools by normalised name; undefined where several tools share one. */
  private spelt(): ReadonlyMap<string, ToolDefinition | undefined> {
    const tools = new Map<string, ToolDefinition | undefined>();
    for (const tool of this.list) {
      const spelling = bareSpelling(tool.name);
      tools.set(spelling, tools.has(spelling) ? undefined : tool);
    }
    tools.delete("");
    return tools;
  }

  private alike(written: string): ToolDefinition | undefined {
    this.bySpelling ??= this.spelt();
    for (const spelling of meantSpellings(written)) {
      const tool = this.bySpelling.get(spelling);
      if (tool) return tool;
    }
    return undefined;
  }
}
