import type { Input } from "./input.js";
import { Lookahead } from "./lookahead.js";

/** A marker in the text. `end`: its end, or -1, and then `at` is where one may begin. */
export interface MarkerPlace {
  marker: string;
  at: number;
  end: number;
}

/**
 * Searches the unread part of a reply for the first of some markers, as {@link Lookahead.markerEnd} reads them. The places
 * are cached, so that repeated searches for a distant or absent marker stay linear in the text.
 */
export class MarkerSearch {
  /** The text of the cached places. */
  private text = "";
  private known: ({ from: number; at: number; end: number } | undefined)[] = [];

  constructor(private readonly markers: readonly string[]) {}

  /** The first of the markers at or after the current position. */
  next(input: Input): MarkerPlace {
    const { text, pos, final } = input;
    // A place where a marker may begin is one only while more text may follow.
    if (text !== this.text || final) this.known = [];
    this.text = text;
    let first: MarkerPlace = { marker: "", at: text.length, end: -1 };
    this.markers.forEach((marker, i) => {
      const known = this.known[i];
      const isKnown = known !== undefined && known.from <= pos && pos <= known.at;
      const { at, end } = isKnown ? known : new Lookahead(input).nextMarker(marker, pos);
      if (!isKnown) this.known[i] = { from: pos, at, end };
      if (at < first.at) first = { marker, at, end };
    });
    return first;
  }
}
