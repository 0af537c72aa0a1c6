/**
 * Computes a result once for each object. The function that it returns calls `make` for an object that it has not seen,
 * and returns the cached result from then on, even if that is `undefined`. Objects are held weakly: an object and its
 * result are garbage once nothing else holds the object. What `make` reads of the object must not change afterwards. `make` may
 * ignore the object: its result is then a record or an id of that object.
 *
 * Errors: none of its own; an error of `make` is thrown and not cached.
 *
 * @example
 * const wordsOf = oncePer((tool: ToolDefinition) => tool.name.split("_"));
 * wordsOf(tool) === wordsOf(tool); // true
 */
// Rollup drops an unused `const f = oncePer(…)` because of this mark. esbuild needs a mark before the call: it is there
// where an unused function would make bundles larger.
/* @__NO_SIDE_EFFECTS__ */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return (key) => {
    const known = made.get(key);
    // Only a cached `undefined` needs a second search.
    if (known !== undefined || made.has(key)) return known as Made;
    const result = make(key);
    made.set(key, result);
    return result;
  };
}

/**
 * Computes a result once for each pair of objects, as {@link oncePer} does for one. The first object of a pair is the one
 * of which there are few: each has a cache of its own.
 *
 * Errors: none of its own; an error of `make` is thrown and not cached.
 *
 * @example
 * const escapedOnce = oncePerPair((escaper: Escaper, tool: ToolDefinition) => escapeDefinition(tool, escaper));
 * escapedOnce(escaper, tool) === escapedOnce(escaper, tool); // true
 */
/* @__NO_SIDE_EFFECTS__ */
export function oncePerPair<First extends object, Second extends object, Made>(
  make: (first: First, second: Second) => Made,
): (first: First, second: Second) => Made {
  const forFirst = oncePer((first: First) => oncePer((second: Second) => make(first, second)));
  return (first, second) => forFirst(first)(second);
}
