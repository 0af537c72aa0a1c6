import { BlockList, isIP } from "node:net";
import { TextBytes, whyUnreachable } from "@toolingua/core/adapters";
import { OpenApiDocumentError } from "./errors.js";
import { redirectOf } from "./redirects.js";
import { withoutSecrets } from "./shown-place.js";

/** The largest document in bytes; GitHub's has 12 MB. */
const MAX_BYTES = 50_000_000;

/** The web origins, besides its own, that a document may cause requests to. */
export class Origins {
  readonly #allowed: ReadonlySet<string>;

  constructor(allowed: readonly (string | URL)[] = []) {
    this.#allowed = new Set(allowed.map((origin) => new URL(origin).origin));
  }

  /** Whether content at one location may refer to another one: within the same origin, or to an allowed one. */
  mayLead(from: string, to: URL): boolean {
    if (this.#allowed.has(to.origin)) return true;
    if (!URL.canParse(from)) return false;
    const own = new URL(from);
    const isSafer =
      own.protocol === "http:" && to.protocol === "https:" && own.hostname === to.hostname && to.port === "";
    return to.protocol === "file:" ? own.protocol === "file:" : own.origin === to.origin || isSafer;
  }

  /**
   * Whether tools of a document may send requests to a server. A document from the web cannot name a server on this
   * machine or in its network, unless the document itself is there. Host names are not resolved.
   */
  mayServe(from: string, server: URL): boolean {
    return !/^https?:/.test(from) || !isPrivate(server.hostname) || this.mayLead(from, server);
  }

  /**
   * Reads the text at a URL. Redirects follow the same rules as references.
   * Errors: Error with the URL and the reason, {@link OpenApiDocumentError} `limit`.
   */
  async read(place: string, fetched: typeof fetch): Promise<string> {
    let url = new URL(place);
    for (let step = 0; ; step++) {
      const shown = withoutSecrets(url.href);
      const response = await fetched(url, { redirect: "manual" }).catch((cause: unknown) => {
        const words = isLate(cause) ? "no answer in time" : whyUnreachable(cause).words;
        throw new Error(`${shown} cannot be reached: ${words.replaceAll(url.href, () => shown)}`, { cause });
      });
      const location = redirectOf(response, step);
      if (location === undefined) {
        if (!response.ok) throw new Error(`${shown} answered ${response.status}`);
        return await textOf(response, shown).catch((cause: unknown) => {
          throw isLate(cause) ? new Error(`${shown} does not end in time`, { cause }) : cause;
        });
      }
      await response.body?.cancel();
      if (!URL.canParse(location, url.href))
        throw new Error(`${shown} redirects to an invalid URL, ${JSON.stringify(withoutSecrets(location))}`);
      const next = new URL(location, url);
      if (!/^https?:$/.test(next.protocol) || !this.mayLead(url.href, next)) {
        throw new Error(`${shown} redirects to another origin, ${next.origin}, which is not in \`allow\``);
      }
      url = next;
    }
  }
}

/** Whether a limit of time (`AbortSignal.timeout`) ended a request. */
const isLate = (cause: unknown) => cause instanceof DOMException && cause.name === "TimeoutError";

async function textOf(response: Response, shown: string): Promise<string> {
  const decoder = new TextBytes();
  let [text, bytes] = ["", 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) {
      throw new OpenApiDocumentError("limit", `${shown} is larger than ${MAX_BYTES} bytes.`);
    }
    text += decoder.decode(chunk);
  }
  return text + decoder.decode();
}

const privateAddresses = new BlockList();
for (const [net, bits] of [
  // This machine, its network, and reserved ranges (https://www.iana.org/assignments/iana-ipv4-special-registry).
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
  ] as const),
  ...([
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["224.0.0.0", 3],
  ] as const),
])
  privateAddresses.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  privateAddresses.addSubnet(net, bits, "ipv6");
// This machine, and IPv4 within IPv6: compatible and translated addresses, NAT64 and 6to4.
for (const [net, bits] of [
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
] as const)
  privateAddresses.addSubnet(net, bits, "ipv6");

/** Whether a host, in the form of a URL, is an address or a name of this machine or its network. */
export function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const family = isIP(host);
  if (family !== 0) return privateAddresses.check(host, family === 4 ? "ipv4" : "ipv6");
  return (
    !host.includes(".") ||
    /\.(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/.test(host)
  );
}
