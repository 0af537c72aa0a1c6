import { describe, expect, it } from "vitest";
import { errorText, withoutStack } from "./error-text.js";

describe("errorText", () => {
  it("parses class, code and message as JavaScript writes them", () => {
    expect(errorText("RangeError [E_DAY]: day 32")).toEqual({ message: "day 32", type: "RangeError", code: "E_DAY" });
    expect(errorText("Error: ENOENT: no such file")).toEqual({
      message: "no such file",
      type: "Error",
      code: "ENOENT",
    });
    expect(errorText("ENOENT: no such file")).toEqual({ message: "no such file", code: "ENOENT" });
  });

  it("keeps any other text unchanged", () => {
    for (const text of ["no such city: Atlantis", "", "Error", "An error: it broke\nat noon (12:00)"]) {
      expect(errorText(text)).toEqual({ message: text });
    }
  });

  it("drops stack traces of JavaScript and Python", () => {
    const javascript =
      "TypeError: x is not a function\n    at f (/srv/app.js:3:9)\n    at async file:///srv/b.js:10:2\n    at new Promise (<anonymous>)";
    expect(errorText(javascript)).toEqual({ message: "x is not a function", type: "TypeError" });
    const python =
      'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in f\n    return g(x)\nValueError: bad x';
    expect(withoutStack(python)).toBe("ValueError: bad x");
  });
});
