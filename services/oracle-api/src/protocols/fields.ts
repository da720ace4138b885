import { z } from 'zod';

/** A field that may be absent; clients of other protocols write null for that as well. */
export function optional<Value extends z.ZodType>(value: Value) {
  return value.nullish().transform((given) => given ?? undefined);
}

/** A list that is empty when it is absent or null. */
export function listOrNone<Item extends z.ZodType>(list: z.ZodArray<Item>) {
  return list.nullish().transform((items) => items ?? []);
}

/** An object of any fields, which has none when it is absent or null. */
export const anyFields = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((fields) => fields ?? {});

/** What somebody says, without the one character that no database column of text can hold: other clients know nothing of that. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '');
}
