import { type Pattern, parsePattern } from "./pattern.js";

const year = "\\d{4}";
const long = "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])";
const short = "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)";
const february = "02-(?:0[1-9]|1\\d|2[0-8])";
const leap = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29";
const date = `(?:${year}-(?:${long}|${short}|${february})|${leap})`;
const hours = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const time = `${hours}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${hours})`;
const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4 = `${octet}(?:\\.${octet}){3}`;
const group = "[0-9a-fA-F]{1,4}";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
// A host has at most 253 characters, which no grammar can count, so the labels after the first are shorter.
const further = "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?)";
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]";
const sub = "[A-Za-z0-9._~!$&'()*+,;=-]";
const escaped = "%[0-9A-Fa-f]{2}";
const segment = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${escaped})`;
const query = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${escaped})`;
const clock = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const days = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";

const host = `(?:${sub}|${escaped})+(?::\\d{1,5})?`;
const end = `(?:\\?${query}*)?(?:#${query}*)?`;
const uri = `[A-Za-z][A-Za-z0-9+.-]*:(?://${host}(?:/${segment}*)*|/?${segment}+(?:/${segment}*)*)${end}`;
// The part before the first slash has no colon, which would make it a scheme.
const relative = `(?:(?:/?(?:${sub}|@|${escaped})+|/)(?:/${segment}*)*)?${end}`;
const pointer = "(?:/(?:[^~/]|~[01])*)*";
// The part before the @ has at most 64 characters.
const email = `${atom}{1,31}(?:\\.${atom}{1,10}){0,3}@${label}${further}{1,6}`;
// Two hyphens would mark an encoded label.
const plain = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,15}";
const hostname = `${label}${further}{0,6}`;

/** `left` groups, two colons, then at most as many groups as remain. */
const shortened = Array.from({ length: 8 }, (_, left) => {
  const room = 7 - left;
  const start = left === 0 ? ":" : `(?:${group}:){${left}}`;
  return `${start}${room === 0 ? ":" : `:(?:${group}(?::${group}){0,${room - 1}})?`}`;
});

/** Formats of which a grammar admits every string. Of the others it excludes rare ones, such as long addresses. */
export const EXACT_FORMATS: ReadonlySet<string> = new Set([
  ...["date", "duration", "uuid", "ipv4", "json-pointer", "relative-json-pointer"],
]);

/**
 * The formats of JSON Schema as regular expressions, as far as a grammar can enforce them. Dates are valid calendar
 * dates; seconds end at 59 and have at most nine decimal places; IPv6 addresses do not end in an IPv4 address; URIs
 * contain no user and no host in brackets; IRIs and international addresses contain only ASCII characters. Source: JSON
 * Schema 2020-12 Validation, section 7.3; RFC 3339, 3986, 4122, 5321, 6901.
 */
const formatPatterns: Readonly<Record<string, string>> = {
  date: `^${date}$`,
  time: `^${time}$`,
  "date-time": `^${date}T${time}$`,
  duration: `^P(?:\\d+W|${days}(?:${clock})?|${clock})$`,
  uuid: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  email: `^${email}$`,
  "idn-email": `^${email}$`,
  hostname: `^${hostname}$`,
  "idn-hostname": `^${plain}(?:\\.${plain}){0,6}$`,
  ipv4: `^${ipv4}$`,
  ipv6: `^(?:(?:${group}:){7}${group}|${shortened.join("|")})$`,
  uri: `^${uri}$`,
  iri: `^${uri}$`,
  "uri-reference": `^(?:${uri}|${relative})$`,
  "iri-reference": `^(?:${uri}|${relative})$`,
  "json-pointer": `^${pointer}$`,
  "relative-json-pointer": `^(?:0|[1-9]\\d*)(?:#|${pointer})$`,
};

const parsed = new Map<string, Pattern | undefined>();

/** The pattern of a format; undefined for an unknown format. */
export function formatPattern(format: string): Pattern | undefined {
  if (!Object.hasOwn(formatPatterns, format)) return undefined;
  if (!parsed.has(format)) parsed.set(format, parsePattern(formatPatterns[format]!));
  return parsed.get(format);
}
