import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';

/** A correlation id that the service accepts from a caller. */
export const requestIdPattern = /^[\w.:-]{1,128}$/;

export const requestId = z.string().regex(requestIdPattern, 'must be 1 to 128 letters, digits or any of _ . : -');

export const landing = z.object({ status: z.literal('ok'), message: z.string(), timestamp: isoTime });
export const liveness = z.object({ status: z.literal('ok'), timestamp: isoTime });

export const modelList = z.object({
  models: z.array(z.object({ id: z.string(), label: z.string(), isDefault: z.boolean() })),
  default: z.string(),
});
