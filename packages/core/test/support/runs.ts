/** How often `npm test` tries a law. `npm run verify -- laws` tries each one forty times as often; LAWS=3: three times. */
export const runs = (count: number) => ({ numRuns: Math.ceil(count * Number(process.env.LAWS ?? 1)) });
