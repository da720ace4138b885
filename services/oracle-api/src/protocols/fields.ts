import { z } from 'zod';

/** An optional field; clients of other protocols also send null. */
export function optional<Value extends z.ZodType>(value: Value) {
  return value.nullish().transform((sent) => sent ?? undefined);
}

/** A list, empty if absent or null. */
export function listOrNone<Item extends z.ZodType>(list: z.ZodArray<Item>) {
  return list.nullish().transform((items) => items ?? []);
}

/** An object of any fields, empty if absent or null. */
export const anyFields = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((fields) => fields ?? {});

/** Text without NUL, which Postgres text columns cannot store. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '');
}
