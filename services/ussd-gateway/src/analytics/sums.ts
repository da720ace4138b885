import { type UssdHopOutcome, ussdHopOutcomes } from '@mlango/schemas/ussd-analytics';
import { type CountsByHour, type Field, failedField, hourMs, parseField, slotMs, uncountedField } from './counts.js';

/** The sums of some hours. */
export interface Sums {
  /** By flow and screen; dials have the empty screen. */
  readonly screens: ReadonlyMap<string, ScreenSums>;
  readonly failedHops: number;
  readonly uncounted: number;
}

export interface ScreenSums {
  readonly flow: string;
  readonly screen: string;
  /** By version of the flow. */
  readonly visits: Map<number, number>;
  readonly outcomes: Record<UssdHopOutcome, number>;
  readonly answer: Map<number, number>;
  /** Paths from and to this screen; a path that stays is in both. */
  readonly on: Map<string, WaySums>;
  readonly into: Map<string, WaySums>;
}

export interface WaySums {
  readonly version: number;
  readonly from: string;
  readonly to: string;
  /** Users by how long they looked at `from`. None for dials. */
  readonly dwell: Map<number, number>;
  /** Visits without a following input: in completed slots, and in later ones. */
  abandoned: number;
  open: number;
}

export interface ReportTime {
  readonly fromMs: number;
  readonly nowMs: number;
  /** How long a session lives after its last hop: older screens were answered or abandoned. */
  readonly sessionTtlMs: number;
}

export function screenName(flow: string, screen: string): string {
  return `${flow}|${screen}`;
}

/** Sums some hours. Pure. */
export function sumUp(hours: CountsByHour, time: ReportTime): Sums {
  const screens = new Map<string, ScreenSums>();
  let failedHops = 0;
  let uncounted = 0;
  for (const [hour, counts] of hours) {
    failedHops += counts.get(failedField) ?? 0;
    uncounted += counts.get(uncountedField) ?? 0;
    for (const [name, amount] of counts) {
      const field = parseField(name);
      if (field?.kind === 'way' || field?.kind === 'open') addToWay(screens, field, amount, hour, time);
      else if (field !== undefined) addToScreen(screenOf(screens, field.flow, field.screen), field, amount);
    }
  }
  return { screens, failedHops, uncounted };
}

function addToScreen(row: ScreenSums, { kind, which }: Field, amount: number): void {
  if (kind === 'visit') addTo(row.visits, Number(which), amount);
  else if (kind === 'answer') addTo(row.answer, Number(which), amount);
  else {
    const outcome = ussdHopOutcomes.find((known) => known === which);
    if (outcome !== undefined) row.outcomes[outcome] += amount;
  }
}

function addToWay(
  screens: Map<string, ScreenSums>,
  { flow, screen, kind, which, other, version }: Field,
  amount: number,
  hour: number,
  { nowMs, sessionTtlMs }: ReportTime,
): void {
  const [from, to] = kind === 'way' ? [screen, other] : [other, screen];
  const { on } = screenOf(screens, flow, from);
  const name = `${version}|${to}`;
  const way = on.get(name) ?? { version, from, to, dwell: new Map(), abandoned: 0, open: 0 };
  on.set(name, way);
  screenOf(screens, flow, to).into.set(`${version}|${from}`, way);
  const slotEndsMs = hour * hourMs + (Number(which) + 1) * slotMs;
  if (kind === 'way') addTo(way.dwell, Number(which), amount);
  else if (slotEndsMs + sessionTtlMs <= nowMs) way.abandoned += amount;
  else way.open += amount;
}

function screenOf(screens: Map<string, ScreenSums>, flow: string, screen: string): ScreenSums {
  const name = screenName(flow, screen);
  const known = screens.get(name);
  if (known !== undefined) return known;
  const outcomes = { dialled: 0, moved: 0, stayed: 0, refused: 0, ended: 0, replayed: 0, repeated: 0, expired: 0 };
  const ways = { on: new Map<string, WaySums>(), into: new Map<string, WaySums>() };
  const row = { flow, screen, visits: new Map(), outcomes, answer: new Map(), ...ways };
  screens.set(name, row);
  return row;
}

export function addTo<Key>(counts: Map<Key, number>, key: Key, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** The total of some counts. */
export function allOf(counts: ReadonlyMap<unknown, number>): number {
  let all = 0;
  for (const count of counts.values()) all += count;
  return all;
}

/** The median time on a screen before leaving by some paths, in ms. */
export function medianDwell(ways: Iterable<WaySums>): number | null {
  const dwell = new Map<number, number>();
  for (const way of ways) for (const [bucket, count] of way.dwell) addTo(dwell, bucket, count);
  return medianOf(dwell);
}

/** Abandoned and open visits of some paths, and the drop-off. */
export function afterWays(ways: Iterable<WaySums>, came: number) {
  const sums = { abandoned: 0, open: 0 };
  for (const way of ways) {
    sums.abandoned += way.abandoned;
    sums.open += way.open;
  }
  // Counts of one moment may be stored separately, so that a balance is briefly negative.
  const abandoned = Math.max(0, sums.abandoned);
  const open = Math.max(0, sums.open);
  const over = Math.max(abandoned, came - open);
  return { abandoned, open, dropOff: over === 0 ? null : abandoned / over };
}

/**
 * Durations in buckets of a quarter octave: each is about 19 % wider than the previous one, so a median of buckets is
 * within 10 % of the true one, and an hour of hops takes a few dozen numbers.
 */
const perOctave = 4;
const lowest = -5 * perOctave;
const highest = 22 * perOctave;

/** The bucket of a duration in ms; from 0.03 ms to over an hour. */
export function bucketOf(ms: number): number {
  const bucket = Math.round(Math.log2(Math.max(ms, 0.001)) * perOctave);
  return Math.min(highest, Math.max(lowest, bucket));
}

/** The median, in ms, of durations counted by bucket; null of none. */
export function medianOf(counts: ReadonlyMap<number, number>): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  let seen = 0;
  for (const [bucket, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen * 2 >= total) return Number((2 ** (bucket / perOctave)).toPrecision(3));
  }
  return null;
}
