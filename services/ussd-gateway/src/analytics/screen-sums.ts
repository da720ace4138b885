import { type UssdHopOutcome, ussdHopOutcomes } from '@mlango/schemas/ussd-analytics';
import type { SummedCount } from './count.js';
import { medianOf } from './time-buckets.js';

/** The sums of a screen. Dials come from a screen with an empty name. */
export interface ScreenSums {
  readonly flow: string;
  readonly screen: string;
  visits: number;
  readonly outcomes: Record<UssdHopOutcome, number>;
  /** Hops by the time to their answer. */
  readonly answers: Map<number, number>;
  /** Paths from and to this screen; a path that stays is in both. */
  readonly from: Map<string, PathSums>;
  readonly into: Map<string, PathSums>;
}

export interface PathSums {
  readonly from: string;
  readonly to: string;
  people: number;
  /** People by viewing time of `from`. None for dials. */
  readonly dwell: Map<number, number>;
  /** Visits of `to` without a following input: of expired sessions, and of others. */
  abandoned: number;
  open: number;
}

export function screenKey(flow: string, screen: string): string {
  return `${flow}|${screen}`;
}

/** Sums by flow and screen. Pure. */
export function sumScreens(counts: readonly SummedCount[]): ReadonlyMap<string, ScreenSums> {
  const screens = new Map<string, ScreenSums>();
  for (const counted of counts) {
    const { flow, fromScreen, toScreen, measure, bucket, count } = counted;
    const outcome = ussdHopOutcomes.find((known) => known === measure);
    if (measure === 'answer') addTo(screenOf(screens, flow, toScreen).answers, bucket, count);
    else if (measure === 'open' || measure === 'abandoned') pathOf(screens, counted)[measure] += count;
    else if (outcome !== undefined) {
      screenOf(screens, flow, fromScreen || toScreen).outcomes[outcome] += count;
      if (toScreen === '') continue;
      const path = pathOf(screens, counted);
      path.people += count;
      if (bucket > 0) addTo(path.dwell, bucket, count);
      if (fromScreen !== toScreen && outcome !== 'ended') screenOf(screens, flow, toScreen).visits += count;
    }
  }
  return screens;
}

function screenOf(screens: Map<string, ScreenSums>, flow: string, screen: string): ScreenSums {
  const key = screenKey(flow, screen);
  const known = screens.get(key);
  if (known !== undefined) return known;
  const outcomes = { dialled: 0, moved: 0, stayed: 0, refused: 0, ended: 0, replayed: 0, repeated: 0, expired: 0 };
  const sums = { flow, screen, visits: 0, outcomes, answers: new Map(), from: new Map(), into: new Map() };
  screens.set(key, sums);
  return sums;
}

function pathOf(screens: Map<string, ScreenSums>, { flow, fromScreen: from, toScreen: to }: SummedCount): PathSums {
  const source = screenOf(screens, flow, from);
  const known = source.from.get(to);
  if (known !== undefined) return known;
  const path: PathSums = { from, to, people: 0, dwell: new Map(), abandoned: 0, open: 0 };
  source.from.set(to, path);
  screenOf(screens, flow, to).into.set(from, path);
  return path;
}

function addTo(counts: Map<number, number>, bucket: number, amount: number): void {
  counts.set(bucket, (counts.get(bucket) ?? 0) + amount);
}

/** The median viewing time before some paths, in ms. */
export function medianDwell(paths: Iterable<PathSums>): number | null {
  const dwell = new Map<number, number>();
  for (const path of paths) for (const [bucket, count] of path.dwell) addTo(dwell, bucket, count);
  return medianOf(dwell);
}

/** Abandoned and open visits after some paths, and the drop-off. */
export function visitsAfter(paths: Iterable<PathSums>, visits: number) {
  const sums = { abandoned: 0, open: 0 };
  for (const path of paths) {
    sums.abandoned += path.abandoned;
    sums.open += path.open;
  }
  // Counts of one moment may be stored separately, so that a balance is briefly negative.
  const abandoned = Math.max(0, sums.abandoned);
  const open = Math.max(0, sums.open);
  const finishedVisits = Math.max(abandoned, visits - open);
  return { abandoned, open, dropOff: finishedVisits === 0 ? null : abandoned / finishedVisits };
}
