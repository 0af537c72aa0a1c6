import { oncePer } from "../common/once-per.js";
import type { Input } from "../notation/input.js";
import { Lookahead } from "../notation/lookahead.js";

/** A marker in the text. `end`: its end, or -1, and then `at` is where one may begin. */
interface MarkerPlace {
  marker: string;
  at: number;
  end: number;
}

/** The places of markers in a text; each was searched for from `from` on. `final`: no more text follows. */
interface MarkerCache {
  text: string;
  final: boolean;
  places: Map<string, MarkerPlace & { from: number }>;
}

/**
 * Searches the unread part of a reply for the first of some markers, as {@link Lookahead.markerEnd} reads them. The places
 * are kept, so that repeated searches for a distant or absent marker stay linear in the text.
 */
export function firstMarker(input: Input, markers: readonly string[]): MarkerPlace {
  const { text, final } = input;
  const cache = cacheOf(input);
  if (cache.text !== text || cache.final !== final) {
    Object.assign(cache, { text, final });
    cache.places.clear();
  }
  let first: MarkerPlace = { marker: "", at: text.length, end: -1 };
  for (const marker of markers) {
    const place = placeOf(input, marker, cache.places);
    if (place.at < first.at) first = place;
  }
  return first;
}

function placeOf(input: Input, marker: string, places: MarkerCache["places"]): MarkerPlace {
  const { pos } = input;
  const known = places.get(marker);
  if (known && known.from <= pos && pos <= known.at) return known;
  const place = { marker, from: pos, ...new Lookahead(input).nextMarker(marker, pos) };
  places.set(marker, place);
  return place;
}

const cacheOf = oncePer((_input: Input): MarkerCache => ({ text: "", final: false, places: new Map() }));
