// npm run bench -- size: what a bundle for a browser takes, and the limit that a test holds it to.
import { table } from "../timing/markdown.mjs";
import { measureSizes } from "./sizes.mjs";

const rows = (await measureSizes()).map(({ what, size, limit }) => [
  what,
  `${(size / 1000).toFixed(1)} KB`,
  limit === undefined ? "" : `${limit} KB`,
]);
console.log(table(["bundle, minified and gzip", "size", "limit"], rows));
