import type { Protocol } from "../../src/index.js";
import { isTagMark } from "../../src/syntax/markers.js";
import { closersOf, markerOf, openersOf } from "../../src/syntax/spelling.js";
import { formsOf } from "../../src/syntax/syntax.js";

/** The texts that begin a call of a protocol. */
const openingMarkers = ({ syntax }: Protocol): string[] =>
  formsOf(syntax)
    .flatMap(openersOf)
    .flatMap((spelling) => markerOf(spelling)?.trim() || []);

/** All markers of a protocol: what begins and ends its calls, its spans, its messages, and what is ignored. */
function markersOf(protocol: Protocol): string[] {
  const { syntax } = protocol;
  const closers = formsOf(syntax).flatMap((form) => Object.values(closersOf(form)).flat());
  const spans = (syntax.spans ?? []).flatMap(({ open, close = "" }) => [open, close]);
  const { open = [], text = "", close = [] } = syntax.messages ?? {};
  const others = [...closers, ...spans, ...open, text, ...close, ...(syntax.noise ?? []), ...(syntax.stop ?? [])];
  return [...openingMarkers(protocol), ...others.map((marker) => marker.trim())];
}

/**
 * A sentence for each marker that begins calls of a protocol and lies within a longer one of another format. A marker with
 * which another begins is none of them: of two markers at one place, the parser reads the longer one. Nor is a tag with a mark
 * before it, which is a part of the tag.
 */
export function clashesOf(protocol: Protocol, all: readonly Protocol[]): string[] {
  const others = all.filter(({ name }) => name !== protocol.name);
  const found = openingMarkers(protocol).flatMap((marker) =>
    others.flatMap((other) =>
      markersOf(other)
        .filter((longer) => longer.indexOf(marker, 1) > 0 && !isTagMark(longer.slice(0, longer.indexOf(marker))))
        .map(
          (longer) =>
            `The marker ${JSON.stringify(marker)} of ${protocol.name} is within ${JSON.stringify(longer)} of ${other.name}: there it would be read as the beginning of a call. Choose a marker that occurs in no other.`,
        ),
    ),
  );
  return [...new Set(found)];
}
