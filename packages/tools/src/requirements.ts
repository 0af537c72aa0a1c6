/** An environment variable that a tool needs, and what it is, for those who set it. */
export interface EnvironmentVariable {
  env: string;
  description?: string | undefined;
}

/** What a tool needs of the environment: the name of a variable, or the name and a description. */
export type ToolRequirement = string | EnvironmentVariable;

/** Those of the variables that are not set, or empty. Where there is no environment (a browser), none is set. */
export function missingVariables(requirements: readonly ToolRequirement[] | undefined): EnvironmentVariable[] {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return (requirements ?? [])
    .map((one) => (typeof one === "string" ? { env: one } : one))
    .filter(({ env }) => !process?.env?.[env]);
}

export const isRequirement = (value: unknown): value is ToolRequirement => {
  const name: unknown = typeof value === "object" && value !== null ? (value as EnvironmentVariable).env : value;
  return typeof name === "string" && name !== "";
};
