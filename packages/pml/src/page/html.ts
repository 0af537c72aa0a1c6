import { xmlCharacters } from "../write/xml-text.js";

/** Markup that needs no escaping. Only {@link html} creates it. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/** A template that escapes every value except nested markup. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: strings.map((text, i) => text + written(values[i])).join(""),
});

function written(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "object") return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("\n");
  return xmlCharacters(String(value)).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
