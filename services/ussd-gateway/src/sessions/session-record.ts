import { z } from 'zod';

const textMark = z.object({ length: z.int().min(0), mac: z.string() });

const position = z.object({
  state: z.string(),
  language: z.string(),
  choices: z.record(z.string(), z.string()),
  page: z.int().min(0),
  notice: z.object({ text: z.string(), page: z.int().min(0) }).optional(),
});

/**
 * All that is kept of a session between two hops. It holds no text the user typed: of processed texts there are only
 * lengths and keyed MACs, since accumulated text carries the PIN on every later hop.
 */
export const sessionRecord = z.object({
  sessionId: z.string(),
  phoneNumber: z.string(),
  serviceCode: z.string(),
  /** The flow and the version of it that the session began with. */
  flow: z.object({ id: z.string(), version: z.int() }),
  position,
  isAuthenticated: z.boolean(),
  /** The key that the marks were made with. */
  macKeyId: z.string(),
  /** The texts that led here, oldest first. */
  marks: z.array(textMark),
  /** What the handset shows: the reply to the last hop, without its first word. */
  message: z.string(),
  /** When it was shown, in ms since 1970. */
  shownAtMs: z.number().optional(),
  /** Whether that reply closed the session. */
  ended: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

/** The record in stored text, or undefined if another release wrote it in a shape this one cannot read. */
export function readRecord(stored: string): SessionRecord | undefined {
  try {
    return sessionRecord.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}
