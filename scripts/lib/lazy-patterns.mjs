import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";

/**
 * The code of a bundle, in which patterns with properties of characters (`\p{L}`) are compiled when they are first used. V8
 * looks up the characters of a property each time it reads such a pattern: when it reads the code, when the line runs, and for
 * the first text. The core has two hundred of them, of which a reply needs few.
 *
 * A pattern in a constant becomes a function that makes it once. One within a function is made once, unless it has a state
 * (flags `g` and `y`). A constant that is exported, or whose name has another meaning somewhere, stays as it is. What a
 * constant `new RegExp` reads must not change after its line, and no function may write properties to its patterns.
 *
 * @param {string} code an ES module
 * @example
 * lazyPatterns("const WORD = /\\p{L}/u;\nconst isWord = (text) => WORD.test(text);");
 * // var __pattern0;const WORD = () => (__pattern0 ??= new RegExp("\\p{L}", "u"));
 * // const isWord = (text) => WORD().test(text);
 */
export function lazyPatterns(code) {
  if (!code.includes("\\p{")) return code;
  const program = parseAst(code);
  const constants = constantsOf(program);
  const names = [];
  const edits = [];
  /** Writes a pattern as one that is made once. */
  const once = ({ start, end, regex }, before = "") => {
    const name = `__pattern${names.length}`;
    names.push(name);
    edits.push([start, start, `${before}(${name} ??= `]);
    if (regex) edits.push([start, end, `new RegExp(${JSON.stringify(regex.pattern)}, ${JSON.stringify(regex.flags)})`]);
    edits.push([end, end, ")"]);
  };

  walk(program, [], (node, parents) => {
    if (hasProperty(node) && !/[gy]/.test(node.regex.flags) && parents.some(isFunction)) once(node);
    const constant = node.type === "Identifier" ? constants.get(node.name) : undefined;
    if (constant === undefined || isKey(node, parents)) return;
    if (isRead(node, parents)) constant.reads.push(node);
    else if (node !== constant.id) constants.delete(node.name);
  });
  for (const { init, reads } of constants.values()) {
    once(init, "() => ");
    for (const { end } of reads) edits.push([end, end, "()"]);
  }
  if (names.length === 0) return code;
  const [hashbang] = /^(#!.*\n)?/.exec(code);
  return `${hashbang}var ${names.join()};${edited(code, edits).slice(hashbang.length)}`;
}

/** The same for all modules in a folder. */
export function makePatternsLazy(folder) {
  for (const file of readdirSync(folder, { recursive: true })) {
    const path = join(folder, file);
    if (path.endsWith(".js")) writeFileSync(path, lazyPatterns(readFileSync(path, "utf8")));
  }
}

/** The patterns that are constants of the module, by name. */
function constantsOf({ body }) {
  const declarations = body.flatMap((node) => (node.type === "VariableDeclaration" ? node.declarations : []));
  const patterns = declarations.filter(
    ({ id, init }) => id.type === "Identifier" && (hasProperty(init) || isConstructed(init)),
  );
  return new Map(patterns.map(({ id, init }) => [id.name, { id, init, reads: [] }]));
}

const hasProperty = (node) => node?.type === "Literal" && /\\p\{/i.test(node.regex?.pattern);
const isConstructed = (node) => node?.type === "NewExpression" && node.callee.name === "RegExp";
const isFunction = ({ type }) => /Function/.test(type);

/** Whether an identifier is the name of a property. */
function isKey(node, parents) {
  const parent = parents.at(-1);
  return !parent.computed && !parent.shorthand && (parent.key === node || parent.property === node);
}

/** What reads an identifier that is directly in it. */
const READERS = new Set([
  ...["MemberExpression", "CallExpression", "NewExpression", "ArrayExpression", "TemplateLiteral", "SpreadElement"],
  ...["ConditionalExpression", "LogicalExpression", "BinaryExpression", "UnaryExpression", "ReturnStatement"],
]);

/** Whether an identifier is read for certain, as opposed to declared, assigned or exported. */
function isRead(node, parents) {
  // `new A.B()` would make an `A`.
  if (parents.some(({ type, callee }) => type === "NewExpression" && isWithin(node, callee))) return false;
  const [around, parent] = parents.slice(-2);
  switch (parent.type) {
    case "VariableDeclarator":
      return parent.init === node;
    case "ArrowFunctionExpression":
      return parent.body === node;
    case "Property":
      return around.type === "ObjectExpression" && !parent.shorthand;
    default:
      return READERS.has(parent.type);
  }
}

const isWithin = (node, { start, end }) => start <= node.start && node.end <= end;

/** Calls `visit` with each node and the nodes around it. */
function walk(node, parents, visit) {
  if (parents.length > 0) visit(node, parents);
  const inside = [...parents, node];
  for (const value of Object.values(node).flat()) if (typeof value?.type === "string") walk(value, inside, visit);
}

/** A text with parts of it replaced: `[start, end, text]`. */
function edited(text, edits) {
  let at = 0;
  const pieces = edits
    .sort(([a], [b]) => a - b)
    .map(([start, end, piece]) => {
      const before = text.slice(at, start);
      at = end;
      return before + piece;
    });
  return pieces.join("") + text.slice(at);
}
