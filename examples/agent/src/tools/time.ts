import { cityMapping } from "city-timezones";
import { tool } from "langchain";
import { z } from "zod";

/** A place with one time zone, under the name to call it by. */
interface Place {
  name: string;
  timeZone: string;
}

/** The current time at a place, from the time-zone data that Node.js carries. `now` is there for tests. */
export function timeTool(now: () => Date = () => new Date()) {
  return tool(({ city }) => describeTime(city, now()), {
    name: "get_time",
    description: "Get the current time in a city.",
    schema: z.object({ city: z.string().describe("City, country or IANA time zone") }),
  });
}

/**
 * Says what time it is at `place`. Where several places share the name, it says the time at each (at most four)
 * instead of picking one; if there is none, it reports that.
 */
export function describeTime(place: string, now: Date): string {
  const found = findPlaces(place);
  if (found.length === 0) return `Unknown place: "${place}". Give a city or an IANA time zone such as "Europe/Paris".`;
  if (found.length > 4) {
    const zones = found.map(({ timeZone }) => timeZone).join(", ");
    return `"${place}" has ${found.length} time zones: name a city, or one of ${zones}.`;
  }
  return found.map(({ name, timeZone }) => `In ${name} (${timeZone}) it is ${format(now, timeZone)}.`).join(" ");
}

function format(now: Date, timeZone: string): string {
  const options = { timeZone, weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  const time = now.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  return `${time} on ${now.toLocaleDateString("en-GB", options)}`;
}

/** From the most exact reading to the least: a time zone, the city that names one, a country, any city of the world. */
function findPlaces(place: string): Place[] {
  const [name = "", ...within] = place.split(",").map(normalize);
  for (const find of [byTimeZone, byZoneCity, byCountry]) {
    const found = find(name);
    if (found.length > 0 && within.length === 0) return found;
  }
  return byCity(name, within);
}

function byTimeZone(name: string): Place[] {
  const timeZone = zones.find((zone) => normalize(zone) === name);
  return timeZone ? [{ name: cityOf(timeZone), timeZone }] : [];
}

function byZoneCity(name: string): Place[] {
  return zones
    .filter((zone) => normalize(cityOf(zone)) === name)
    .map((timeZone) => ({ name: cityOf(timeZone), timeZone }));
}

function byCountry(name: string): Place[] {
  const code = regions.find((region) => normalize(regionNames.of(region) ?? "") === name);
  if (!code) return [];
  const locale = new Intl.Locale("und", { region: code }) as Intl.Locale & { timeZones?: string[] };
  const inCountry = locale.timeZones ?? [];
  const country = regionNames.of(code) ?? code;
  return inCountry.length === 1
    ? [{ name: country, timeZone: inCountry[0]! }]
    : inCountry.map((timeZone) => ({ name: cityOf(timeZone), timeZone }));
}

/** `within` narrows the search: "San Francisco, California", "Paris, France". */
function byCity(name: string, within: string[]): Place[] {
  const cities = cityMapping.filter(
    (city) =>
      (normalize(city.city) === name || normalize(city.city_ascii) === name) &&
      within.every((part) =>
        [city.province, city.country, city.iso2, city.state_ansi].some((x) => normalize(x ?? "") === part),
      ),
  );
  const byZone = new Map(
    cities.map((city) => [city.timezone, { name: `${city.city}, ${city.country}`, timeZone: city.timezone }]),
  );
  return [...byZone.values()];
}

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
const cityOf = (zone: string) => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
const regions = [...new Set(cityMapping.map((city) => city.iso2))].filter((code) => /^[A-Z]{2}$/.test(code ?? ""));
const normalize = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[\s_]+/g, " ")
    .trim()
    .toLowerCase();
