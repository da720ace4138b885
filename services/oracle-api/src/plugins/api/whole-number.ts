import { z } from 'zod';

/** A whole number within bounds: a setting that several plugins have. */
export function wholeNumber({ default: fallback, min, max }: { default: number; min: number; max: number }) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback);
}
