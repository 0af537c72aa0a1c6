/** A name without case and punctuation: `userId`, `user_id` and `User-ID` have the same bare spelling. */
export const bareSpelling = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** A bare spelling without the ending of an English plural: equal for `filters` and `filter`, `cities` and `city`. */
export const singularSpelling = (name: string) =>
  bareSpelling(name)
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x|z)es$/, "$1")
    .replace(/([^s])s$/, "$1");

/** Splits a name into words: `getUserId` and `get_user_id` are "get User Id" and "get user id". */
export const separated = (name: string) => name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/[^\p{L}\p{N}]+/gu, " ");
