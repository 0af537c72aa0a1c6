// Tools as agents for code and their MCP servers send them: some with pages of instructions, most with a sentence and many
// arguments. Made from words, the same each time: some 16,000 tokens as JSON.

const things = "file,folder,issue,branch,commit,notebook,page,process,task,table,message,release".split(",");
const actions = {
  read: "Reads a THING and returns its content with line numbers",
  search: "Finds every THING that matches an expression, the newest first",
  create: "Creates a THING and returns its identifier",
  update: "Changes some fields of a THING and leaves the others as they are",
};

/** What the makers of agents write about how a tool is to be used. */
const advice = [
  "Use this tool whenever the user refers to a THING that you have not seen in this conversation, even if you believe that you know what is in it.",
  "Do NOT use this tool to guess: when the identifier of the THING is unknown, look for it first, and ask the user if there are several candidates.",
  "Prefer one call with a precise expression to several broad ones. Results over 2000 lines are cut, and the last line then says how to go on.",
  "Paths are absolute. A relative path is resolved against the folder in which the session was started, which may not be where you are now.",
  "If the call fails because the THING was changed in the meantime, read it again before the next attempt; never repeat the same call more than twice.",
  "You may call this tool several times in one answer when the calls do not depend on each other, and it is best to do so.",
  "IMPORTANT: never put passwords, tokens or other secrets into an argument. Whatever is written here is kept in the log of the session.",
  "Examples of good use: after a failing test, to see the lines around the failure; before an edit, to be sure of the indentation; after it, to check the result.",
  "Examples of bad use: to list what is in a folder (use the tool for folders), to wait for something, or to print a message for the user.",
];

const properties = {
  id: { type: "string", description: "The identifier of the THING, as another tool returned it" },
  query: { type: "string", description: "A regular expression in the syntax of ripgrep; literal braces are escaped" },
  workspace: { type: "string", description: "The absolute path of the workspace. Defaults to the one of the session" },
  limit: { type: "integer", minimum: 1, maximum: 500, description: "The maximum number of results to return" },
  offset: { type: "integer", minimum: 0, description: "How many results to skip, for the next page" },
  order: { type: "string", enum: ["newest", "oldest", "relevance"], description: "The order of the results" },
  state: {
    type: "string",
    enum: ["open", "closed", "merged", "draft", "any"],
    description: "Filter by the state of the THING",
  },
  title: { type: "string", maxLength: 200, description: "The title of the THING" },
  body: { type: "string", description: "The new content in Markdown. Replaces the old content completely" },
  labels: { type: "array", items: { type: "string" }, description: "Labels; unknown ones are created" },
  dry_run: { type: "boolean", default: false, description: "Only report what would be done" },
  options: {
    type: "object",
    description: "Rarely needed settings",
    properties: {
      encoding: { type: "string", enum: ["utf-8", "utf-16", "latin-1"] },
      timeout_ms: {
        type: "integer",
        minimum: 0,
        maximum: 600000,
        description: "Milliseconds until the call is given up",
      },
      follow_links: { type: "boolean", description: "Whether symbolic links are followed" },
    },
    additionalProperties: false,
  },
};
const taken = {
  read: ["id", "workspace", "limit", "offset", "options"],
  search: ["query", "workspace", "state", "order", "limit", "offset", "labels", "options"],
  create: ["title", "body", "workspace", "labels", "dry_run", "options"],
  update: ["id", "title", "body", "state", "labels", "dry_run", "options"],
};

const about = (thing, value) => JSON.parse(JSON.stringify(value).replaceAll("THING", thing));

/** The tools in the shape of Chat Completions. Every fifth has the instructions. */
export function catalogue() {
  const pairs = things.flatMap((thing) => Object.keys(actions).map((action) => [thing, action]));
  return pairs.map(([thing, action], i) => {
    const names = taken[action];
    const description = [`${actions[action]}.`, ...(i % 5 === 0 ? advice : advice.slice(i % 4, (i % 4) + 1))].join(
      "\n",
    );
    const parameters = {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
      required: names.slice(0, 1),
      additionalProperties: false,
    };
    return about(thing, { type: "function", function: { name: `${action}_${thing}`, description, parameters } });
  });
}
