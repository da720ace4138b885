import type { UssdAnalytics, UssdHopOutcome } from '@mlango/schemas/ussd-analytics';
import { ussdHopOutcomes } from '@mlango/schemas/ussd-analytics';
import { type CountsByHour, failedField, hourMs, parseField, slotMs, uncountedField } from './counts.js';
import { medianOf } from './log-buckets.js';

interface ScreenSums {
  readonly flow: string;
  readonly screen: string;
  visits: number;
  /** Shown screens of settled slots that nobody answered. */
  abandoned: number;
  open: number;
  readonly outcomes: Record<UssdHopOutcome, number>;
  readonly next: Map<string, number>;
  readonly answer: Map<number, number>;
  readonly dwell: Map<number, number>;
}

export interface ReportTime {
  readonly fromMs: number;
  readonly nowMs: number;
  /** How long a session lives after its last hop: a screen shown longer ago than this was answered or abandoned. */
  readonly sessionTtlMs: number;
}

/** Makes the report of the counts of some hours. Pure. */
export function report(hours: CountsByHour, time: ReportTime): UssdAnalytics {
  const sums = new Map<string, ScreenSums>();
  let failedHops = 0;
  let uncounted = 0;
  for (const [hour, counts] of hours) {
    failedHops += counts.get(failedField) ?? 0;
    uncounted += counts.get(uncountedField) ?? 0;
    for (const [name, amount] of counts) addField(sums, name, amount, hour, time);
  }
  const rows = [...sums.values()];
  const total = (of: (row: ScreenSums) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const started = total(({ outcomes }) => outcomes.dialled + outcomes.replayed);
  return {
    from: new Date(time.fromMs).toISOString(),
    to: new Date(time.nowMs).toISOString(),
    sessions: {
      started,
      ended: total(({ outcomes }) => outcomes.ended),
      abandoned: total(({ abandoned }) => Math.max(0, abandoned)),
      open: total(({ open }) => Math.max(0, open)),
    },
    hops: total(({ outcomes }) => ussdHopOutcomes.reduce((sum, outcome) => sum + outcomes[outcome], 0)),
    failedHops,
    uncounted,
    screens: rows.toSorted((a, b) => b.visits - a.visits).map((row) => screenOf(row, started)),
  };
}

function addField(
  sums: Map<string, ScreenSums>,
  name: string,
  amount: number,
  hour: number,
  { nowMs, sessionTtlMs }: ReportTime,
): void {
  const field = parseField(name);
  if (field === undefined) return;
  const row = rowOf(sums, field.flow, field.screen);
  const add = <Key>(map: Map<Key, number>, key: Key) => map.set(key, (map.get(key) ?? 0) + amount);
  switch (field.kind) {
    case 'visit':
      row.visits += amount;
      return;
    case 'outcome': {
      const outcome = ussdHopOutcomes.find((known) => known === field.which);
      if (outcome !== undefined) row.outcomes[outcome] += amount;
      return;
    }
    case 'next':
      add(row.next, field.which);
      return;
    case 'answer':
      add(row.answer, Number(field.which));
      return;
    case 'dwell':
      add(row.dwell, Number(field.which));
      return;
    case 'open': {
      const slotEndsMs = hour * hourMs + (Number(field.which) + 1) * slotMs;
      if (slotEndsMs + sessionTtlMs <= nowMs) row.abandoned += amount;
      else row.open += amount;
    }
  }
}

function rowOf(sums: Map<string, ScreenSums>, flow: string, screen: string): ScreenSums {
  const name = `${flow}|${screen}`;
  const known = sums.get(name);
  if (known !== undefined) return known;
  const outcomes = { dialled: 0, moved: 0, stayed: 0, refused: 0, ended: 0, replayed: 0, repeated: 0, expired: 0 };
  const maps = { next: new Map<string, number>(), answer: new Map<number, number>(), dwell: new Map<number, number>() };
  const row: ScreenSums = { flow, screen, visits: 0, abandoned: 0, open: 0, outcomes, ...maps };
  sums.set(name, row);
  return row;
}

function screenOf(row: ScreenSums, started: number): UssdAnalytics['screens'][number] {
  const { flow, screen, visits, outcomes } = row;
  // Counts of one moment may reach the store apart; for that moment a balance can be below zero.
  const abandoned = Math.max(0, row.abandoned);
  const open = Math.max(0, row.open);
  const over = Math.max(abandoned, visits - open);
  const next = [...row.next].map(([to, count]) => ({ screen: to, count })).toSorted((a, b) => b.count - a.count);
  return {
    flow,
    screen,
    visits,
    shareOfSessions: started === 0 ? null : visits / started,
    outcomes,
    next,
    abandoned,
    open,
    dropOff: over === 0 ? null : abandoned / over,
    medianDwellMs: medianOf(row.dwell),
    medianAnswerMs: medianOf(row.answer),
  };
}
