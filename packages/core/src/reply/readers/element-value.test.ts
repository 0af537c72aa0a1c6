import { describe, expect, test } from "vitest";
import { readInChunks } from "../../../test/support/read-in-chunks.js";
import { matchesAny } from "../../notation/input.js";
import type { RepairCode } from "../../types.js";
import { type ArgumentOfValue, type ElementPlace, ElementValue } from "./element-value.js";

type Settings = Partial<ArgumentOfValue> & Partial<Pick<ElementPlace, "leaf" | "endNewlineIsLayout" | "sharesCloser">>;

/** Reads the value of `<a>`, after which `<b>` may come, in a call that `</call>` ends. */
function read(
  text: string,
  { leaf = "xml", endNewlineIsLayout = false, sharesCloser = false, ...settings }: Settings = {},
) {
  return readInChunks(text, () => {
    const notes: { repairs: RepairCode[]; rejected: string[] } = { repairs: [], rejected: [] };
    let streamed = "";
    const own = { key: "a", opener: "<a>", close: "</a>", name: "a", others: [] };
    const argument = { ...own, streams: true, isUntagged: false, isPlain: false, isScalar: true, ...settings };
    const place: ElementPlace = {
      leaf,
      endNewlineIsLayout,
      sharesCloser,
      after: { closers: ["</call>"], elements: ["call"] },
      closes: (all, index) => matchesAny(all, index, ["</call>"]),
      argumentAt: (look, at) => (look.has("<b>", at) ? "comes" : look.has("<a>", at) ? "again" : undefined),
      callAt: (look, at) => (look.has("<call>", at) ? "opens" : look.has("</call>", at) ? "ends" : undefined),
      repaired: (code) => notes.repairs.push(code),
      rejected: (reason) => notes.rejected.push(reason),
    };
    const value = new ElementValue(argument, place, {
      text(piece) {
        expect(piece).not.toMatch(/[\ud800-\udbff]$/);
        streamed += piece;
      },
    });
    return {
      read: (input) => value.read(input),
      found: () => ({
        value: argument.streams ? streamed : value.buffered,
        mayGoOn: value.mayGoOn,
        rejected: notes.rejected,
        repairs: [...notes.repairs, ...value.repairs],
      }),
    };
  });
}

const twice = ['the value of "a" can be read in more than one way'];
const fine = { status: "done", repairs: [], rejected: [] };

describe("a string between an argument's tags", () => {
  test("ends with the closing tag, and the text after it is left", () =>
    expect(read("Oslo 😀</a></call>")).toEqual({ ...fine, value: "Oslo 😀", rest: "</call>", mayGoOn: false }));

  test.each([
    ["markup", "1 <i>2</i> < 3", "1 <i>2</i> < 3"],
    ["entities", "a &lt;b&gt; &amp; c", "a <b> & c"],
    ["a CDATA section with its own closing tag", "<![CDATA[x</a>&amp;]] >]]>y", "x</a>&amp;]] >y"],
  ])("may contain %s", (_, raw, value) => expect(read(`${raw}</a></call>`)).toMatchObject({ ...fine, value }));

  test.each([
    ["once more", "<a>Oslo</a></a></call>", "Oslo"],
    ["on lines", "\n  <a>\nOslo\n</a>\n</a></call>", "Oslo"],
  ])("has its own tags %s", (_, text, value) => {
    const wanted = { ...fine, value, repairs: ["extra-closer"], rest: "</call>" };
    for (const streams of [true, false]) expect(read(text, { streams, leaf: "markup" })).toMatchObject(wanted);
  });

  test.each([
    ["before other text", "<a>Oslo</a> is north"],
    ["around other elements", "<a><i>Oslo</i></a>"],
    ["around several lines", "\n<a>\n1\n2\n</a>"],
  ])("may have its own tags %s", (_, text) => {
    const value = text.trimStart();
    for (const streams of [true, false])
      expect(read(`${text}</a></call>`, { streams, leaf: "markup" })).toMatchObject({
        ...fine,
        value: streams ? value : text,
      });
  });

  const long = (inside: string) => `<a>${inside}${"x".repeat(2000)}</a>`;

  test("may have its own tags around a long text with tags, and has two readings around any other long text", () => {
    expect(read(`${long("<i>")}</a></call>`)).toMatchObject({ ...fine, value: long("<i>") });
    expect(read(`${long("")}</a></call>`)).toMatchObject({ status: "done", rejected: twice });
    expect(read(`${long("1\n")}</a></call>`, { key: "v" }).rejected).toEqual([twice[0]!.replace('"a"', '"v"')]);
    expect(read(`${long("")} is a</a></call>`)).toMatchObject({ ...fine, value: `${long("")} is a` });
  });

  test("begins with its own tag only if that is near", () =>
    expect(read(`\n${" ".repeat(70)}<a>1</a></a></call>`)).toMatchObject({
      ...fine,
      value: `${" ".repeat(70)}<a>1</a>`,
    }));

  test.each([
    ["opens twice and closes once", "<v>Oslo</v></call>"],
    ["is its own element in a tag that all arguments have", "<v>\n1\n2\n</v></v></call>"],
  ])("has more than one reading if it %s", (_, text) =>
    expect(read(text, { opener: "<v>", close: "</v>", name: "v" })).toMatchObject({ status: "done", rejected: twice }),
  );

  test("ends before a newline that is always layout", () => {
    expect(read("Oslo\n </a></call>").value).toBe("Oslo\n ");
    expect(read("a\nb\n </a></call>", { endNewlineIsLayout: true })).toMatchObject({ ...fine, value: "a\nb" });
  });

  test("has no entities as raw text, nor as markup after its first tag", () => {
    expect(read("&lt;</a></call>", { leaf: "text" }).value).toBe("&lt;");
    expect(read("<i>&lt;</i></a></call>", { leaf: "markup" }).value).toBe("<i>&lt;</i>");
    expect(read("&lt;<i>&lt;</i></a></call>", { leaf: "markup" }).value).toBe("<<i><</i>");
    expect(read("<i><![CDATA[x]]></a></call>", { leaf: "markup" }).value).toBe("<i><![CDATA[x]]>");
  });

  test.each([
    ["line breaks around it are layout", "\nOslo\n", "Oslo"],
    ["a line break at its end alone is text", "Oslo\n", "Oslo\n"],
    ["the indentation of one line is layout before an indented closing tag", "\n    Oslo\n  ", "Oslo"],
    ["the indentation of one line is text before any other closing tag", "\n    Oslo\n", "    Oslo"],
    ["the indentation of several lines is text", "\r\n  a\r\n  b\r\n  ", "  a\r\n  b"],
    ["a carriage return within a line is text", "\na\rb\n", "a\rb"],
    ["more space than any layout is text", `a\n${" ".repeat(70)}`, `a\n${" ".repeat(70)}`],
  ])("%s", (_, raw, value) => expect(read(`${raw}</a></call>`)).toMatchObject({ ...fine, value }));

  test("may go on after a closing tag within its line, or after a quote", () => {
    expect(read("\nthe tag</a>\n</call>").mayGoOn).toBe(true);
    expect(read("the `</a></call>").mayGoOn).toBe(true);
    expect(read("\nthe tag\n</a>\n</call>").mayGoOn).toBe(false);
  });
});

describe("a string without its closing tag", () => {
  const lacks = { status: "done", repairs: ["missing-closer"], value: "Oslo" };

  test("ends where the call ends, without the line break before that", () =>
    expect(read("Oslo\n</call>")).toMatchObject({ ...lacks, rest: "</call>", rejected: [] }));

  test("ends as raw text before the tag of a new argument, and elsewhere contains it", () => {
    expect(read("\nOslo\n<b>", { leaf: "text" })).toMatchObject({ ...lacks, rest: "<b>", rejected: [] });
    expect(read("Oslo\n<b>2</b></a></call>")).toMatchObject({ ...fine, value: "Oslo\n<b>2</b>", rest: "</call>" });
  });

  test("can be read in two ways before a tag within one of its lines", () =>
    expect(read("\nOslo <b> x", { leaf: "text" }).rejected).toEqual(twice));

  test.each([
    ["contains the tag of its own argument", "Oslo\n<a>Rome</call>"],
    ["ends with a broken tag", "Oslo</call</call>"],
    ["ends with a misspelled closing tag", "Oslo<//a></call>"],
  ])("makes no call where it %s", (_, raw) => expect(read(raw).rejected).toContain(twice[0]));

  test("makes no call where it is blank", () =>
    expect(read(" \n</call>")).toMatchObject({ repairs: ["missing-closer"], rejected: ['"a" has no value'] }));

  test("is not complete where the reply ends", () =>
    expect(read("Oslo</")).toMatchObject({ status: "more", value: "Oslo</", repairs: [] }));
});

describe("a closing tag that may be that of something inside the value", () => {
  test.each<[string, string, Settings]>([
    ["a call", "<call>x</a></call>", {}],
    ["a later argument", "see <b> there\n<b>x</a></call>", {}],
    ["the same argument again", "x\n<a>y</a></call>", {}],
    ["an argument whose opening tag is missing", "x</a>\ny</a></call>", { sharesCloser: true }],
    ["the text after the tag that is missing", "a<b</a></call>", { isUntagged: true }],
  ])("%s: no call", (_, raw, settings) => expect(read(raw, settings).rejected).toContain(twice[0]));

  test.each([
    ["a whole call", "<call><a>x</a></call>"],
    ["a whole argument", "<b>x</b>"],
    ["a tag that a sentence mentions", "use `<a>` or `<b>`"],
  ])("is the value's after %s", (_, raw) => expect(read(`${raw}</a></call>`)).toMatchObject({ ...fine, value: raw }));
});

describe("a value that is not only a string", () => {
  const buffered = { streams: false };

  test("is buffered up to its closing tag, with layout and tags", () =>
    expect(read(' ["<i>"] </a></call>', buffered)).toMatchObject({ ...fine, value: ' ["<i>"] ', rest: "</call>" }));

  test("ends before the tag of a new argument if it is a plain value or JSON as raw text", () => {
    const lacks = { status: "done", rest: "<b>", repairs: ["missing-closer"], rejected: [] };
    expect(read("3<b>", { ...buffered, isPlain: true })).toMatchObject({ ...lacks, value: "3" });
    expect(read("[1]<b>", { ...buffered, leaf: "text" })).toMatchObject({ ...lacks, value: "[1]" });
  });

  test("contains that tag as JSON that is not complete, or as an element", () => {
    expect(read('["<b>"]</a></call>', { ...buffered, leaf: "text" })).toMatchObject({ ...fine, value: '["<b>"]' });
    expect(read("<b>1</b></a></call>", buffered)).toMatchObject({ ...fine, value: "<b>1</b>" });
  });

  test("makes no call as other text with that tag, or before the end of the call", () => {
    expect(read("x<b></a></call>", { ...buffered, leaf: "text" }).rejected).toEqual(twice);
    expect(read("x<b>1</b></call>", buffered).rejected).toEqual(twice);
    expect(read("</call>", buffered).rejected).toEqual(['"a" has no value']);
    expect(read(" </a></call>", { ...buffered, isUntagged: true }).rejected).toEqual(['"a" has no value']);
  });

  test("is tried as JSON before a limited number of tags", () => {
    const many = (count: number) => `[${'"<b>",'.repeat(count)}1]<b>`;
    expect(read(many(7), { ...buffered, leaf: "text" }).status).toBe("done");
    expect(read(many(8), { ...buffered, leaf: "text" }).status).toBe("more");
  });

  test("ends with another closing tag of its argument where the call ends, which is a repair", () =>
    expect(read("3</key></call>", { ...buffered, others: ["key"] })).toMatchObject({
      value: "3",
      rest: "</call>",
      repairs: ["wrong-closer"],
    }));
});
