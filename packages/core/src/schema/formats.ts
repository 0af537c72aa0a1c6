// The patterns take linear time. Sources: the RFCs that JSON Schema 2020-12 names for each format (validation, section 7.3).

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const HOSTNAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

const ipv4 = (octet: string) => `(?:${octet}\\.){3}${octet}$`;
const IPV4 = new RegExp(`^${ipv4("(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)")}`);
/** The end of an IPv6 address that is written as IPv4. */
const V4_END = new RegExp(`:${ipv4("(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)")}`);

const HEX = "%[\\da-f]{2}";
const USER = `(?:[\\w.~!$&'()*+,;=:-]|${HEX})*@`;
const part = (more: string) => `(?:[\\w.~!$&'()*+,;=:@${more}-]|${HEX})*`;
const PATH = part("/");
const QUERY = part("/?");
/** A reference, with the address in brackets captured. */
const URI_REFERENCE = new RegExp(
  `^(?:(?:[a-z][a-z\\d+.-]*:)?//?(?:${USER})?\\[([^\\[\\]]*)\\](?::\\d*)?(?:/${PATH})?|${PATH})(?:\\?${QUERY})?(?:#${QUERY})?$`,
  "i",
);
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:[^?#]/i;
const IP_FUTURE = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

const NAME = `(?:\\w|${HEX})+`;
const VARIABLE = `${NAME}(?:\\.${NAME})*(?::[1-9]\\d{0,3}|\\*)?`;
const URI_TEMPLATE = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"<>%\\\\^\`{|}]|${HEX}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  "i",
);

const EMAIL = /^("(?:[ !#-[\]-~]|\\[ -~])*"|[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*)@(.{1,253})$/;
const POINTER = "(?:/(?:[^~/]|~[01])*)*$";

/** Amounts of these units, in their order and without gaps. */
const amounts = (units: string): string =>
  [...units]
    .map((_, i) => [...units.slice(i)].reduceRight((rest, unit) => `\\d+${unit}${rest && `(?:${rest})?`}`, ""))
    .join("|");
const TIMES = `T(?:${amounts("HMS")})`;
const DURATION = new RegExp(`^P(?:\\d+W|(?:${amounts("YMD")})(?:${TIMES})?|${TIMES})$`);

function date(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  // The calendar repeats every 400 years; the first hundred have another meaning here.
  const found = new Date(Date.UTC(2000 + year!, month! - 1, day));
  return found.getUTCMonth() === month! - 1 && found.getUTCDate() === day;
}

function time(text: string): boolean {
  const [whole, hour, minute, second, sign, ...zone] = TIME.exec(text) ?? [];
  if (second !== "60") return whole !== undefined;
  // A leap second is the last of a day.
  const [hours = 0, minutes = 0] = zone.map((part) => Number(part ?? 0));
  const offset = (hours * 60 + minutes) * (sign === "-" ? -1 : 1);
  return (Number(hour) * 60 + Number(minute) - offset + 1441) % 1440 === 0;
}

function ipv6(text: string): boolean {
  const [head = "", tail, more] = text.replace(V4_END, ":0:0").split("::");
  const groups = [head, tail].flatMap((part) => (part ? part.split(":") : []));
  if (more !== undefined || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  return tail === undefined ? groups.length === 8 : groups.length < 8;
}

function uriReference(text: string): boolean {
  const [whole, ip] = URI_REFERENCE.exec(text) ?? [];
  return whole !== undefined && (ip === undefined || ipv6(ip) || IP_FUTURE.test(ip));
}

function email(text: string): boolean {
  const [, name = "", host = ""] = EMAIL.exec(text) ?? [];
  const [, isV6, address] = /^\[(ipv6:)?(.*)\]$/i.exec(host) ?? [];
  if (name === "" || name.length > 64) return false;
  return address === undefined ? HOSTNAME.test(host) : isV6 ? ipv6(address) : IPV4.test(address);
}

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** Checks strings against a format, by its name. Other formats are annotations. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date,
  time,
  "date-time": (text) => {
    const [day = "", clock = "", more] = text.split(/[t\s]/i);
    return more === undefined && date(day) && time(clock);
  },
  duration: matches(DURATION),
  uri: (text) => HAS_SCHEME.test(text) && uriReference(text),
  "uri-reference": uriReference,
  "uri-template": matches(URI_TEMPLATE),
  url: (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
  email,
  hostname: matches(HOSTNAME),
  ipv4: matches(IPV4),
  ipv6,
  regex: isRegExp,
  uuid: matches(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i),
  "json-pointer": matches(new RegExp(`^${POINTER}`)),
  "json-pointer-uri-fragment": matches(/^#(?:\/(?:[\w.!$&'()*+,;:=@-]|%[\da-f]{2}|~[01])*)*$/i),
  "relative-json-pointer": matches(new RegExp(`^(?:0|[1-9]\\d*)(?:#$|${POINTER})`)),
};
