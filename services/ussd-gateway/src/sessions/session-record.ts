import { z } from 'zod';
import { position } from '../engine/position.js';

const textMark = z.object({ length: z.int().min(0), mac: z.string() });

/** Which flow somebody is on, and which version and revision of it. */
export const flowName = z.object({ id: z.string(), version: z.int(), revision: z.string().optional() }).readonly();
export type FlowName = z.infer<typeof flowName>;

/**
 * The shape that records have now. One that says so was written by a release with this very shape, and is not checked again field by
 * field: a hop would spend more on that than on reading it. A changed shape is a new number (`session-record.test.ts`).
 */
export const recordShape = 3;

/**
 * All that is kept of a session between two hops. Of processed texts there are only lengths and keyed MACs, since
 * accumulated text carries the PIN on every later hop; what the user typed is there only as far as a later screen needs
 * it, and a PIN only sealed.
 */
export const sessionRecord = z.object({
  aggregator: z.string(),
  sessionId: z.string(),
  phoneNumber: z.string(),
  serviceCode: z.string(),
  /** The caller's network, where the aggregator named it. */
  network: z.string().optional(),
  /** The flow and the version of it that the session began with. */
  flow: flowName,
  position,
  /** The screen that the last key was pressed on; absent after a dial. */
  cameFrom: z.string().optional(),
  isAuthenticated: z.boolean(),
  /** Tells this dial from others, also of the same session id. */
  nonce: z.string().optional(),
  /** Hops since the dial that changed something. */
  hops: z.int().min(0).optional(),
  /** The effect whose outcome it shows. */
  untold: z.string().optional(),
  /** The secret that the screen it is on compares with, sealed for this session. */
  pendingSecret: z.string().optional(),
  /** The key that the marks were made with. */
  macKeyId: z.string(),
  /** The texts that led here, oldest first. */
  marks: z.array(textMark).readonly(),
  /** What the handset shows: the reply to the last hop, without its first word. */
  message: z.string(),
  /** When it was shown, in ms since 1970. */
  shownAtMs: z.number().optional(),
  /** Whether that reply closed the session. */
  ended: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

/** How the text of a record of this shape ends. A copy of the record that says so would cost as much as the text. */
const ending = `,"shape":${recordShape}}`;

/** A record as stored text. */
export function storedText(record: SessionRecord): string {
  return `${JSON.stringify(record).slice(0, -1)}${ending}`;
}

/** The record in stored text; undefined if there is none, or if another release wrote it in a shape this one cannot read. */
export function readRecord(stored: string): SessionRecord | undefined {
  if (stored === '') return undefined;
  try {
    if (stored.endsWith(ending)) return JSON.parse(`${stored.slice(0, -ending.length)}}`) as SessionRecord;
    return sessionRecord.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}

/** What is in stored text; undefined if nothing is, or if another release wrote it in a shape this one cannot read. */
export function readStored<Value>(shape: z.ZodType<Value>, stored: string): Value | undefined {
  if (stored === '') return undefined;
  try {
    return shape.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}
