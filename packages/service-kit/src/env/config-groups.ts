import type { z } from 'zod';

type Groups = Readonly<Record<string, z.ZodRawShape>>;

/** The values of settings by group, each with the names of its environment variables. Code takes the groups that it needs. */
export type GroupedConfig<Settings extends Groups> = {
  readonly [Name in keyof Settings]: Readonly<z.output<z.ZodObject<Settings[Name]>>>;
};

/** Puts the values of all variables into the groups of their settings. A variable may be in several groups. */
export function groupConfig<Settings extends Groups>(
  settings: Settings,
  values: Readonly<Record<string, unknown>>,
): GroupedConfig<Settings> {
  const group = (shape: z.ZodRawShape) =>
    Object.fromEntries(Object.entries(values).filter(([variable]) => variable in shape));
  return Object.fromEntries(
    Object.entries(settings).map(([name, shape]) => [name, group(shape)]),
  ) as GroupedConfig<Settings>;
}
