import { z } from 'zod';

/** A whole number as YAML writes it. @param atLeast,atMost both allowed. */
export function wholeNumber(atLeast: number, atMost: number) {
  const says = `must be a whole number from ${atLeast} to ${atMost}`;
  return z
    .string({ error: says })
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= atLeast && Number(text) <= atMost, says)
    .transform(Number)
    .meta({ type: 'integer', minimum: atLeast, maximum: atMost });
}

/** `true` or `false` as YAML writes it. */
export const yesOrNo = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });
