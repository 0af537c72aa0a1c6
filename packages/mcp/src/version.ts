/** The package's version, which servers receive. Written by `npm run version-packages`. */
export const VERSION = "0.0.0";
