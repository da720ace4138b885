/** Counts of one hour, by field. */
export type Counts = ReadonlyMap<string, number>;

/** Counts by hour; an hour is its number since 1970. */
export type CountsByHour = ReadonlyMap<number, Counts>;

export const hourMs = 3_600_000;

/** Visits are balanced in slots of an hour: a visit counts as abandoned one slot after its session has expired. */
const slotsPerHour = 12;
export const slotMs = hourMs / slotsPerHour;

export function hourOf(atMs: number): number {
  return Math.floor(atMs / hourMs);
}

/*
 * A field is `flow|screen|kind|parts…`. Names of flows and screens are identifiers without bars.
 *
 *   visit|<version>                  visits of the screen
 *   outcome|<outcome>                hops on the screen
 *   way|<bucket>|<to>|<version>      transitions to a screen, itself included, by viewing time
 *   answer|<bucket>                  durations
 *   open|<slot>|<from>|<version>     displays in this slot of the hour after a key on the screen `from` (empty after a dial), minus
 *                                    those answered since
 */
export const fieldKinds = ['visit', 'outcome', 'way', 'answer', 'open'] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** Hops that got no screen. */
export const failedField = 'failed';
/** Counts that were dropped. */
export const uncountedField = 'uncounted';

/** A part of a field. */
export type Part = string | number;

export function fieldOf(parts: readonly Part[]): string {
  return parts.join('|');
}

export interface Field {
  readonly flow: string;
  readonly screen: string;
  readonly kind: FieldKind;
  readonly which: string;
  /** For a path, the screen at its other end. */
  readonly other: string;
  readonly version: number;
}

/** Undefined for an unknown field, such as one of another release. */
export function parseField(field: string): Field | undefined {
  const [flow, screen, name, which, other = '', version = '0'] = field.split('|');
  const kind = fieldKinds.find((known) => known === name);
  if (flow === undefined || screen === undefined || kind === undefined || which === undefined) return undefined;
  return { flow, screen, kind, which, other, version: Number(version) };
}

/** Counts of one hour, added in one step. */
export interface CountsBatch {
  /** Unique: a batch that is repeated under its id is not added again. */
  readonly id: string;
  readonly hour: number;
  readonly counts: Counts;
}

/**
 * Stores counts by hour, for all processes. Guarantees: `add` is atomic and adds a batch once for any number of repeats
 * within ten minutes. Hours older than `retentionHours` are deleted. An unavailable store rejects; the batch was then
 * added completely or not at all.
 */
export interface AnalyticsStore {
  add(batch: CountsBatch): Promise<void>;

  /** The hours from `fromHour` to `toHour`, inclusive; hours without counts may be missing. */
  read(fromHour: number, toHour: number): Promise<CountsByHour>;
}

/** Retention of an hour after it began. */
export const retentionHours = 24 * 8;
