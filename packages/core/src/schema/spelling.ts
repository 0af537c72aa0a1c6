/** What is left of a name when case and punctuation are taken away: `userId`, `user_id` and `User-ID` are spelt alike. */
export const bareSpelling = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The same without the ending of an English plural: `filters` and `filter`, `cities` and `city` are spelt alike. */
export const singularSpelling = (name: string) =>
  bareSpelling(name)
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x|z)es$/, "$1")
    .replace(/([^s])s$/, "$1");
