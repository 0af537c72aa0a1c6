import { oncePer } from "../common/once-per.js";
import type { ElementsBody, JsonCallBody, MarkedElementsBody, Slot } from "./bodies.js";

// Parts of calls that the declarations of several protocols and the reply parser share.

/** The tool's name. */
export const name: Slot = { slot: "name" };
/** The name of a tool that exists. */
export const toolName: Slot = { slot: "name", known: true };
/** An argument's key. */
export const key: Slot = { slot: "key" };

/** `{"name": "add", "arguments": {…}}`, the most common shape. */
export const jsonCall: JsonCallBody = { body: "json-call", name: "name", arguments: "arguments" };

/** Each argument in an element of its name: `<a>2</a>`. */
export const children: ElementsBody = { body: "elements", open: ["<", key, ">"], close: ["</", key, ">"], leaf: "xml" };

/** The elements of a body with marks, as they are written. */
export const markedElements = /* @__PURE__ */ oncePer(
  ({ mark }: MarkedElementsBody): ElementsBody => ({
    body: "elements",
    open: [`${mark}<`, key, ">"],
    close: [`${mark}</`, key, ">"],
    leaf: "exact",
    structured: "nested",
  }),
);
