/** What is left of a name when case and signs are taken away: `userId`, `user_id` and `User-ID` are spelt alike. */
export const bareSpelling = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
