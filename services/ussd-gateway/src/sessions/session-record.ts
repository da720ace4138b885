import { z } from 'zod';
import { flowName, position } from '../engine/position.js';

const textMark = z.object({ length: z.int().min(0), mac: z.string() });

/**
 * The current shape of records. A record with this number is not validated again field by field, which would cost more than reading it. A
 * changed shape needs a new number (`session-record.test.ts`).
 */
export const recordShape = 4;

/**
 * A stored session. Of processed texts it has only lengths and keyed MACs, since accumulated text contains the PIN on every later hop.
 * Inputs are stored only if a later screen needs them, and a PIN only sealed.
 */
export const sessionRecord = z.object({
  aggregator: z.string(),
  sessionId: z.string(),
  phoneNumber: z.string(),
  serviceCode: z.string(),
  /** The network of the caller, if the aggregator names it. */
  network: z.string().optional(),
  /** The flow that the session began with. */
  flow: flowName,
  position,
  /** The screen of the last input; absent after a dial. */
  cameFrom: z.string().optional(),
  isAuthenticated: z.boolean(),
  /** Identifies this dial among dials with the same session id. */
  nonce: z.string().optional(),
  /** Hops since the dial that changed something. */
  hops: z.int().min(0).optional(),
  /** The effect with the outcome on the screen: `shownEffect` of a reply. Stored under its older name. */
  untold: z.string().optional(),
  /** The effects with outcomes that this session has shown, oldest first. Absent if there are none. */
  shownEffects: z.array(z.string()).readonly().optional(),
  /** The secret that the current screen compares with, sealed for this session. */
  pendingSecret: z.string().optional(),
  /** The key that the marks were made with. */
  macKeyId: z.string(),
  /** Marks of the processed texts, oldest first. */
  marks: z.array(textMark).readonly(),
  /** The last reply, without its first word. */
  message: z.string(),
  /** Time at which it was shown, in ms since 1970. */
  shownAtMs: z.number().optional(),
  /** Whether that reply closed the session. */
  ended: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

/** The end of a stored text of this shape. Writing the number this way avoids a copy of the record. */
const ending = `,"shape":${recordShape}}`;

/** A record as stored text. */
export function storedText(record: SessionRecord): string {
  return `${JSON.stringify(record).slice(0, -1)}${ending}`;
}

/** Reads a stored record; undefined if the text is empty, or of an unreadable shape. */
export function readRecord(stored: string): SessionRecord | undefined {
  if (stored === '') return undefined;
  try {
    if (stored.endsWith(ending)) return JSON.parse(`${stored.slice(0, -ending.length)}}`) as SessionRecord;
    return sessionRecord.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}

/** Reads a stored value; undefined if the text is empty, or of an unreadable shape. */
export function readStored<Value>(shape: z.ZodType<Value>, stored: string): Value | undefined {
  if (stored === '') return undefined;
  try {
    return shape.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}
