/** The package's version, as servers are told it. Written by `npm run version-packages`. */
export const VERSION = "0.0.0";
