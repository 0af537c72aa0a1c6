import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import {
  type ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Completer, Completers } from "./completers.js";

interface Described {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
}

/** The content of a resource: text, or bytes. */
export type ResourceContent = string | Uint8Array;

/**
 * A served resource: a single one with its `uri`, or all those of a `uriTemplate` (RFC 6570, `note://{id}`), which
 * `list` may enumerate.
 */
export type ServedResource = Described &
  (
    | { uri: string; read(): ResourceContent | Promise<ResourceContent> }
    | {
        uriTemplate: string;
        read(
          variables: Readonly<Record<string, string>>,
          uri: string,
        ): ResourceContent | undefined | Promise<ResourceContent | undefined>;
        list?:
          | (() => readonly { uri: string; name: string }[] | Promise<readonly { uri: string; name: string }[]>)
          | undefined;
        /** Completes the value of a variable. */
        complete?: Readonly<Record<string, Completer>> | undefined;
      }
  );

/** How many steps it may take to match a URI, a fraction of a second. */
const MAX_STEPS = 1e8;

/**
 * Whether a URI is short enough for a template. Several variables without a slash between them (`{a}-{b}`) match in as many
 * ways as there are places for their borders, and the SDK's regular expression tries all of them.
 */
function isMatchable(uriTemplate: string, { length }: string): boolean {
  // A variable that may contain slashes has its borders anywhere, unless it is the last.
  const before = uriTemplate.replace(/\{[+#][^{}]*\}$/, "");
  const parts = /\{[+#]/.test(before) ? [before] : before.split("/");
  const borders = parts.reduce((sum, part) => sum + Math.max(0, part.split(/[{,]/).length - 2), 0);
  let steps = borders === 0 ? 0 : length;
  for (let i = 0; i < borders; i++) steps *= (length - i) / (i + 1);
  return steps <= MAX_STEPS;
}

/** The specification's code for an unknown resource. */
const NOT_FOUND = -32002;

export function addResources(server: Server, resources: readonly ServedResource[], completers: Completers): void {
  const templates = resources.flatMap((one) =>
    "uriTemplate" in one ? [{ resource: one, template: new UriTemplate(one.uriTemplate) }] : [],
  );
  for (const { resource } of templates) {
    for (const [variable, completer] of Object.entries(resource.complete ?? {})) {
      completers.add("ref/resource", resource.uriTemplate, variable, completer);
    }
  }
  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const listed = await Promise.all(
      resources.map(async (one) => {
        if ("uri" in one) return [{ uri: one.uri, ...described(one) }];
        const { mimeType } = described(one);
        return ((await one.list?.()) ?? []).map((each) => ({ ...(mimeType !== undefined && { mimeType }), ...each }));
      }),
    );
    return { resources: listed.flat() };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: templates.map(({ resource }) => ({ uriTemplate: resource.uriTemplate, ...described(resource) })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    for (const one of resources) {
      if ("uri" in one && one.uri === uri) return { contents: [contents(uri, await one.read(), one.mimeType)] };
    }
    for (const { resource, template } of templates) {
      const matched = isMatchable(resource.uriTemplate, uri) ? template.match(uri) : null;
      if (!matched) continue;
      const content = await resource.read(textsOf(matched), uri);
      if (content !== undefined) return { contents: [contents(uri, content, resource.mimeType)] };
    }
    throw new McpError(NOT_FOUND as ErrorCode, `There is no resource ${uri}.`);
  });
}

const described = ({ name, title, description, mimeType }: Described) => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(mimeType !== undefined && { mimeType }),
});

/** Decodes percent-encoded characters, which the SDK leaves as they are. */
const textsOf = (variables: Record<string, string | string[]>) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, [value].flat().map(decoded).join(",")]));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function contents(uri: string, content: ResourceContent, mimeType: string | undefined) {
  const about = { uri, ...(mimeType !== undefined && { mimeType }) };
  return typeof content === "string"
    ? { ...about, text: content }
    : { ...about, blob: Buffer.from(content).toString("base64") };
}
