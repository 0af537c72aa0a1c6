// The formats of JSON Schema 2020-12 Validation, section 7.3, and `url` and `json-pointer-uri-fragment` of older tools.

/** A test for a whole text, in any case. */
function whole(...parts: string[]): (text: string) => boolean {
  const pattern = new RegExp(`^(?:${parts.join("")})$`, "i");
  return (text) => pattern.test(text);
}

const BYTE = "(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)";
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const isIpv4 = whole(IPV4);
const IPV4_AT_END = new RegExp(`:${IPV4}$`);
const isGroup = whole("[0-9a-f]{1,4}");

/** RFC 4291, section 2.2: eight groups, or fewer and one `::`; an IPv4 address counts as the last two. */
function isIpv6(text: string): boolean {
  const sides = text.replace(IPV4_AT_END, ":0:0").split("::");
  const groups = sides.flatMap((side) => (side === "" ? [] : side.split(":")));
  const isCounted = sides.length === 1 ? groups.length === 8 : sides.length === 2 && groups.length < 8;
  return isCounted && groups.every(isGroup);
}

const HOST_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const isHostname = whole(`(?=.{1,253}$)${HOST_LABEL}(?:\\.${HOST_LABEL})*`);
const ADDRESS = /^("(?:[ !#-[\]-~]|\\[ -~])*"|(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]+(?<!\.))@(.+)$/i;

/** RFC 5321, section 4.1.2. */
function isEmail(text: string): boolean {
  const [, name = "", host = ""] = ADDRESS.exec(text) ?? [];
  if (name === "" || name.length > 64 || host.length > 253) return false;
  if (!/^\[.*\]$/.test(host)) return isHostname(host);
  const address = host.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
}

/** RFC 3339, section 5.6: a date that exists. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** A leap second is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const [, hour, minute, second, sign, hours = 0, minutes = 0] = TIME.exec(text) ?? [];
  if (second !== "60") return second !== undefined;
  const offset = 60 * Number(hours) + Number(minutes);
  return (60 * Number(hour) + Number(minute) + (sign === "-" ? offset : -offset) + 1) % 1440 === 0;
}

function isDateTime(text: string): boolean {
  const [date = "", time = "", more] = text.split(/t|\s/i);
  return more === undefined && isDate(date) && isTime(time);
}

const CLOCK = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const DURATION = new RegExp(`^P(?:\\d+W|(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)(?:${CLOCK})?|${CLOCK})$`);

const ESCAPED = "%[0-9a-f]{2}";
const IN_HOST = "-a-z0-9._~!$&'()*+,;=";
const SEGMENT = `(?:[${IN_HOST}":@]|${ESCAPED})`;
const PATH = `(?:/${SEGMENT}*)*`;
const AUTHORITY = `(?:(?:[${IN_HOST}:]|${ESCAPED})*@)?(?:\\[([^\\]]*)\\]|(?:[${IN_HOST}"]|${ESCAPED})*)(?::\\d*)?`;
const URI = new RegExp(
  `^(?:[a-z][a-z0-9+.-]*:)?(?://?${AUTHORITY}${PATH}|/?${SEGMENT}+${PATH}|/)?(?:[?](?:${SEGMENT}|[/?])*)?(?:#(?:${SEGMENT}|[/?])*)?$`,
  "i",
);
const isFutureAddress = whole(`v[0-9a-f]+\\.[${IN_HOST}:]+`);

/** RFC 3986, and quotes. */
function isReference(text: string): boolean {
  const [found, address] = URI.exec(text) ?? [];
  return found !== undefined && (address === undefined || isIpv6(address) || isFutureAddress(address));
}

/** RFC 3986, with a scheme and more than a query after it. */
const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:[^?#]/i.test(text) && !/"/.test(text) && isReference(text);

const VARIABLE = `(?:\\w|${ESCAPED})+(?:\\.(?:\\w|${ESCAPED})+)*(?::[1-9]\\d{0,3}|\\*)?`;
const POINTER = "(?:/(?:[^~/]|~[01])*)*";

/** An expression with the flag `u`; `\Z` is Python's. */
function isRegex(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false;
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** Checks strings against a format, by its name. Other formats are annotations. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  "date-time": isDateTime,
  duration: (text) => DURATION.test(text),
  uri: isUri,
  "uri-reference": isReference,
  "uri-template": whole(
    `(?:[^\\x00-\\x20\\x7f"<>%\\\\^\`{|}]|${ESCAPED}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*`,
  ),
  url: (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  regex: isRegex,
  uuid: whole("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
  "json-pointer": whole(POINTER),
  "json-pointer-uri-fragment": whole(`#(?:/(?:(?!~)[${IN_HOST}:@]|${ESCAPED}|~[01])*)*`),
  "relative-json-pointer": whole(`(?:0|[1-9]\\d*)(?:#|${POINTER})`),
};
