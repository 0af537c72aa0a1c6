// Charts as PNG, for viewers that do not show SVG with fonts.
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";
import { ownSvg } from "./svg.mjs";

const { resolve } = createRequire(import.meta.url);
const fontFiles = ["400Regular", "600SemiBold"].map((weight) =>
  resolve(`@expo-google-fonts/source-sans-3/${weight}/SourceSans3_${weight}.ttf`),
);

/** The bytes of a PNG of twice the size, for high-resolution screens. */
export function png(chart, palette) {
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: "Source Sans 3" };
  return new Resvg(ownSvg(chart, palette), { font, fitTo: { mode: "zoom", value: 2 } }).render().asPng();
}
