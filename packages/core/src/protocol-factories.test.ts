import { expect, it } from "vitest";
import { amXml, jsonAction, laic, OptionsError } from "./index.js";

it.each<[(options?: never) => unknown, unknown, string]>([
  [jsonAction, { mode: "strikt" }, '`mode` is "tolerant" or "strict", not "strikt". Did you mean "strict"?'],
  [jsonAction, { maxThougt: 3 }, 'There is no "maxThougt" in the options of jsonAction. Did you mean "maxThought"?'],
  [jsonAction, { maxThought: -1 }, "`maxThought` is a whole number from 1"],
  [amXml, { errors: "message", defnitions: "schema" }, 'Did you mean "definitions"?'],
  [laic, { alias: {} }, 'There is no "alias" in the options of laic. Did you mean "aliases"?'],
  [laic, { aliases: "W" }, "`aliases` is an object"],
  [laic, { aliases: { now: { alais: "W" } } }, 'There is no "alais" in the aliases of "now". Did you mean "alias"?'],
  [laic, { aliases: { now: { alias: 5 } } }, "`aliases.now.alias` is a string"],
  [laic, { aliases: { now: "W" } }, 'The aliases of "now" must be an object'],
  [laic, null, "must be an object, not null"],
])("%o refuses %j", (make, options, message) => {
  const made = () => Reflect.apply(make, undefined, [options]);
  expect(made).toThrow(OptionsError);
  expect(made).toThrow(message);
});
