/** An environment variable that a tool needs, with a description for the person who sets it. */
export interface EnvironmentVariable {
  env: string;
  description?: string | undefined;
}

/** A required variable: its name, or its name and a description. */
export type ToolRequirement = string | EnvironmentVariable;

/** The variables that are not set, or empty. Without an environment (in a browser), none is set. */
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
