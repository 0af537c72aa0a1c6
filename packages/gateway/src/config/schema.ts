import { type Protocol, protocols, type TextModel } from "@toolingua/core";
import { backends } from "@toolingua/core/adapters";
import { whyReserved } from "@toolingua/endpoints";
import { z } from "zod";
import { oneOf, seconds, secret, strict, text, whole } from "./rules.js";

const names = z.array(text("must be a name"), { error: "must be a list of names" });

const ADDRESS = "must be a complete URL, such as http://localhost:11434/v1";

const PORT = "must be a port from 0 to 65535";

const httpUrl = text(ADDRESS).superRefine((value, context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  if (!URL.canParse(value)) return refuse(ADDRESS);
  const { protocol, username, password, pathname } = new URL(value);
  if (!/^https?:$/.test(protocol)) refuse(`has the protocol ${protocol}, not http: or https:`);
  else if (username !== "" || password !== "")
    refuse("cannot contain a name and password: give them as `headers: { authorization: … }`");
  const added = /\/(?:chat\/)?completions(?=\/*$)/.exec(pathname)?.[0];
  if (added !== undefined) refuse(`must be given without "${added}", which is added`);
});

/** Whether HTTP can carry a header: the constructor refuses one that it cannot. */
function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}

const upstreamShape = {
  baseURL: httpUrl.describe("Where the upstream's API is, up to what comes before /chat/completions."),
  model: text("must be the model's id at the upstream").optional().describe("The model's id there. Default: `name`."),
  apiKey: text("must be the API key of the upstream")
    .regex(/^[\x21-\x7e]+$/, {
      error: "must be the API key of the upstream: printable ASCII characters, without spaces",
    })
    .optional()
    .describe("Sent as `Authorization: Bearer …`."),
  kind: oneOf("chat", "completion")
    .optional()
    .describe("`chat` (default): /chat/completions. `completion`: /completions, with a prompt written here."),
  headers: z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      for (const [name, value] of Object.entries(headers)) {
        if (isHeader(name, value)) continue;
        context.addIssue({ code: "custom", path: [name], message: "is not a text that HTTP can carry" });
      }
    })
    .optional()
    .describe("More headers of each request."),
};
const upstream = strict(upstreamShape);
const oneOfSeveral = strict({
  name: text("must be what /readyz and /metrics call it")
    .optional()
    .describe("What /readyz and /metrics call it. Default: its address."),
  ...upstreamShape,
});

const protocolNames = Object.keys(protocols) as [keyof typeof protocols, ...(keyof typeof protocols)[]];

const aProtocol = z.custom<Protocol>((value) => typeof value === "object" && value !== null && "syntax" in value);

export const limitsSchema = strict({
  body: whole(1).default(10_000_000).describe("Bytes of a request's body."),
  messages: whole(1).default(10_000).describe("Messages of a request."),
  tools: whole(0).default(1000).describe("Tools of a request."),
  choices: whole(1).default(8).describe("`n` of a request."),
  stops: whole(0).default(64).describe("Stop sequences of a request."),
  connectTimeout: seconds().default(10).describe("Seconds for the connection to an upstream."),
  idleTimeout: seconds().default(300).describe("Seconds for an upstream's next byte."),
  timeout: seconds().optional().describe("Seconds for a whole turn of an upstream. Default: no limit."),
  rate: whole(1).optional().describe("Requests a minute of each key; without keys, of all. Default: no limit."),
  concurrency: whole(1).optional().describe("Requests at once of each key; without keys, of all. Default: no limit."),
  grace: seconds().default(30).describe("Seconds that answers have to end when the gateway stops."),
  unread: seconds().default(300).describe("Seconds for which a client may read nothing of its stream."),
  keepAlive: seconds().default(15).describe("Seconds of silence after which a stream gets a comment."),
});

const modelSchema = strict({
  name: text("must be the name that clients ask for"),
  aliases: names.optional().describe("More names; `*` in one matches any characters."),
  upstream: upstream
    .optional()
    .describe("A server with OpenAI's completions. This, `upstreams`, `embedded` or `model`."),
  upstreams: z
    .array(oneOfSeveral, {
      error: "must be a list of upstreams, such as [{ baseURL: http://a:8000/v1 }, { baseURL: http://b:8000/v1 }]",
    })
    .min(1, { error: "needs at least one upstream" })
    .optional()
    .describe("Several servers of the same model. A conversation stays with one, so that prefix caches hit."),
  circuitBreaker: strict({
    failures: whole(1).optional().describe("How many failures in a row. Default 5."),
    openTime: seconds().optional().describe("For how many seconds. Default 30."),
  })
    .optional()
    .describe("When one of the `upstreams` is not asked for a while."),
  embedded: text("must be the name or path of a model").optional().describe("A model for @toolingua/llama-cpp."),
  model: z
    .custom<TextModel>((value) => typeof value === "function", {
      error: "must be a TextModel, a function, in code; the model's id at its server is the `model` of `upstream`",
    })
    .optional()
    .describe("In code: a TextModel."),
  protocol: z
    .union([oneOf(...protocolNames), aProtocol], {
      error: (issue) => {
        if (issue.input === "auto") return `cannot be "auto": leave it out for the format of the model's id`;
        const [[first] = []] = (issue.errors ?? []) as { message: string }[][];
        return first?.message;
      },
    })
    .optional()
    .describe("The wire format of calls. Default: the one that a model of this id was trained on."),
  backend: oneOf(...backends)
    .optional()
    .describe("The kind of server: what it takes beyond what OpenAI's own does."),
  style: oneOf("native", "json", "signature", "compact").optional().describe("How tools are shown to the model."),
  transcript: oneOf("messages", "pml")
    .optional()
    .describe("How the model receives the conversation: as `messages` (default), or as one document in `pml`."),
  constraint: oneOf("off", "auto", "required", "fallback")
    .optional()
    .describe("Whether replies are constrained by a grammar. Needs `backend`. Default `off`."),
  onInvalidCall: oneOf("retry", "surface")
    .optional()
    .describe("`retry` (default): the model is asked again for a wrong call. `surface`: it is not."),
  maxInvalidCallRetries: whole(0).optional().describe("How often the model is asked again. Default 2."),
  liveCalls: z
    .boolean()
    .optional()
    .describe(
      "Calls of a stream are sent while the model writes them (default). `false`: whole, when they are known to be right.",
    ),
  startWithReasoning: z
    .boolean()
    .optional()
    .describe(
      "The model's chat template opens the reasoning, and the upstream leaves it in the text: a reply begins inside it. Default `false`.",
    ),
  toolSelection: z
    .union(
      [
        z.boolean(),
        strict({ from: whole(1).optional(), limit: whole(1).optional(), by: z.enum(["text", "words"]).optional() }),
      ],
      {
        error: 'must be true, false or an object such as { from: 20, limit: 8, by: "words" }',
      },
    )
    .optional()
    .describe("Shows the model only those of many tools that a conversation needs."),
  fields: z
    .record(z.string(), z.unknown())
    .superRefine((fields, context) => {
      for (const name of Object.keys(fields)) {
        const why = whyReserved(name);
        if (why !== undefined)
          context.addIssue({ code: "custom", path: [name], message: `cannot be set here: ${why}` });
      }
    })
    .optional()
    .describe("More fields of each request to the upstream, such as { top_p: 0.9 }. What a client sets comes first."),
  vision: z
    .boolean()
    .optional()
    .describe("Whether the model sees images, which are then sent to it. Default `false`: they are refused."),
  contextWindow: whole(1)
    .optional()
    .describe(
      "Tokens, for clients that ask, and those that an embedded model is loaded for. Default 131,072; of embedded models 8,192.",
    ),
})
  .refine(
    ({ upstream, upstreams, embedded, model }) => [upstream, upstreams, embedded, model].filter(Boolean).length === 1,
    { error: "needs exactly one of `upstream`, `upstreams`, `embedded` and `model`" },
  )
  .refine(({ circuitBreaker, upstreams }) => !circuitBreaker || upstreams, {
    path: ["circuitBreaker"],
    error: "needs `upstreams`: without others to ask, a failing server is asked again",
  })
  .refine(
    ({ vision, embedded, upstream, upstreams = [] }) =>
      !vision || (embedded === undefined && [upstream, ...upstreams].every((one) => one?.kind !== "completion")),
    { path: ["vision"], error: "needs upstreams of the kind `chat`: a text prompt cannot contain images" },
  )
  .refine(
    ({ constraint, backend, upstream, upstreams }) =>
      !(upstream || upstreams) || backend || !constraint || constraint === "off",
    {
      path: ["constraint"],
      error: "needs `backend`: the kind of server decides what constrains its replies",
    },
  );

const key = strict({
  name: text("must be the name of who has the key"),
  key: secret("must be the key itself").optional().describe("The key. `hash` keeps it out of the file."),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, { error: "must be the SHA-256 of the key in hex: 64 digits" })
    .optional()
    .describe("The SHA-256 of the key, in hex."),
  rate: whole(1).optional().describe("Requests a minute. Default: `limits.rate`."),
  concurrency: whole(1).optional().describe("Requests at once. Default: `limits.concurrency`."),
}).refine(({ key, hash }) => (key === undefined) !== (hash === undefined), { error: "needs either `key` or `hash`" });

export const storeSchema = strict({
  size: whole(1)
    .default(100_000_000)
    .describe("Characters of JSON of each key; those that were not used for longest go first."),
  ttl: seconds().default(3600).describe("For how many seconds a response is kept."),
});

/** What errors show of a configuration. */
const EXAMPLE = '{ models: [{ name: "llama3.2", upstream: { baseURL: "http://localhost:11434/v1" } }] }';

export const configSchema = strict(
  {
    models: z.array(modelSchema, { error: "must be a list of models" }).min(1, { error: "needs at least one model" }),
    admin: z.boolean().optional().describe("A page at `/`: models, requests and the last failures. Default `false`."),
    server: strict({
      host: text("must be an address to listen on").optional().describe("Default 127.0.0.1."),
      port: z
        .int({ error: PORT })
        .min(0, { error: PORT })
        .max(65_535, { error: PORT })
        .optional()
        .describe("Default 8000; 0: any that is free."),
      keys: z
        .array(key, { error: "must be a list of keys" })
        .min(1, { error: "is empty: list a key, or leave it out, so that anybody may ask" })
        .optional()
        .describe("Who may ask. Default: anybody."),
      origins: z
        .array(
          text("must be an origin, such as https://chat.example.org").refine(
            (value) => value === "*" || (URL.canParse(value) && new URL(value).origin === value),
            { error: 'must be an origin, such as https://chat.example.org (no path, no slash at the end), or "*"' },
          ),
          { error: "must be a list of origins, such as [https://chat.example.org]" },
        )
        .optional()
        .describe("Allowed CORS origins, besides those of this machine and of desktop applications; `*`: any."),
      limits: limitsSchema.optional(),
    }).optional(),
    store: storeSchema
      .optional()
      .describe("Keeps Responses in memory, for `previous_response_id`. Default: nothing is kept."),
    telemetry: strict({
      content: z
        .boolean()
        .optional()
        .describe(
          "Whether spans, the log and the admin page may contain text of requests, replies and upstreams. Default `false`.",
        ),
    })
      .optional()
      .describe("What OpenTelemetry, the log and the admin page receive."),
  },
  EXAMPLE,
);

/** The configuration of a gateway, as a file or as an object; docs are in the README. */
export type GatewayConfig = z.input<typeof configSchema>;
/** One model of a configuration. */
export type GatewayModelConfig = z.input<typeof modelSchema>;
/** One server of a model. */
export type UpstreamConfig = z.input<typeof oneOfSeveral>;
export type KeyConfig = z.input<typeof key>;
export type StoreConfig = z.input<typeof storeSchema>;
export type LimitsConfig = z.input<typeof limitsSchema>;
/** The limits, with defaults filled in. */
export type Limits = z.output<typeof limitsSchema>;

/**
 * The JSON Schema of a configuration file, for editors.
 *
 * @example writeFileSync("toolingua.schema.json", JSON.stringify(configJsonSchema()));
 */
export const configJsonSchema = (): object => z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
