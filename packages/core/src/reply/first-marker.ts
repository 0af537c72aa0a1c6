import type { Input, MarkerPlace } from "../notation/input.js";
import { Lookahead } from "../notation/lookahead.js";

/**
 * Searches the unread part of a reply for the first of some markers, as {@link Lookahead.markerEnd} reads them. The input
 * keeps the places, so that repeated searches for a distant or absent marker stay linear in the text.
 */
export function firstMarker(input: Input, markers: readonly string[]): MarkerPlace {
  let first: MarkerPlace = { marker: "", at: input.text.length, end: -1 };
  for (const marker of markers) {
    const place = placeOf(input, marker);
    if (place.at < first.at) first = place;
  }
  return first;
}

function placeOf(input: Input, marker: string): MarkerPlace {
  const { pos, final, places } = input;
  const known = places.get(marker);
  if (known && known.final === final && known.from <= pos && pos <= known.at) return known;
  const place = { marker, from: pos, final, ...new Lookahead(input).nextMarker(marker, pos) };
  places.set(marker, place);
  return place;
}
