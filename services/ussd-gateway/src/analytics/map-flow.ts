import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';
import { writtenPages } from '../engine/check/screen-pages.js';
import { engineKeys, type Facts, type Flow, type Screen } from '../engine/flow.js';
import { transitionsOf } from '../engine/screen-options.js';
import type { SummedCount } from './count.js';
import { medianDwell, type PathSums, type ScreenSums, screenKey, sumScreens, visitsAfter } from './screen-sums.js';

type MappedScreen = UssdMappedFlow['screens'][number];
type MappedWay = UssdMappedFlow['ways'][number];

/** The map of a flow, with the counts of this version. Pure. */
export function mapFlow(flow: Flow, counts: readonly SummedCount[], facts: Facts): UssdMappedFlow {
  const { id, version, start, exit } = flow;
  const sums = sumScreens(counts.filter((row) => row.flow === id && row.version === version));
  const mapped = Object.entries(flow.screens).map(([state, screen]) => mapScreen(flow, { state, screen }, sums, facts));
  return {
    id,
    version,
    start,
    exit,
    languages: Object.keys(flow.texts),
    screens: mapped.map((one) => one.screen),
    ways: mapped.flatMap((one) => one.ways),
  };
}

interface Mapped {
  readonly screen: MappedScreen;
  readonly ways: readonly MappedWay[];
}

function mapScreen(
  flow: Flow,
  named: { state: string; screen: Screen },
  sums: ReadonlyMap<string, ScreenSums>,
  facts: Facts,
): Mapped {
  const { state, screen } = named;
  const { kind } = screen;
  const counted = sums.get(screenKey(flow.id, state));
  const from = [...(counted?.from.values() ?? [])];
  const into = [...(counted?.into.values() ?? [])];
  // Visits of a closing screen are counted on the path alone.
  const visits = kind === 'closing' ? into.reduce((sum, { people }) => sum + people, 0) : (counted?.visits ?? 0);
  const [page = ''] = writtenPages(flow, { ...named, language: flow.defaultLanguage }, facts);
  const [title = ''] = page.split('\n');
  const { dropOff } = visitsAfter(into, visits);
  const written = writtenWays(flow, named);
  return {
    screen: { screen: state, kind, title, visits, dropOff, medianDwellMs: medianDwell(from) },
    ways: [...written, ...unwrittenWays(flow, state, from, written)].map((way) => {
      const taken = from.filter(({ to }) => to === way.to);
      const people = taken.reduce((sum, path) => sum + path.people, 0);
      return { ...way, people, medianMs: medianDwell(taken), dropOff: visitsAfter(taken, people).dropOff };
    }),
  };
}

type Way = Pick<MappedWay, 'from' | 'to' | 'by' | 'kind'>;

/** The paths to other screens, one for each screen. */
function writtenWays(flow: Flow, { state: from, screen }: { state: string; screen: Screen }): Way[] {
  const by = new Map<string, string[]>();
  for (const way of transitionsOf(flow, screen)) {
    const { to } = way.landing;
    if (to !== undefined && to !== from) by.set(to, [...(by.get(to) ?? []), way.by]);
  }
  return [...by].map(([to, ways]): Way => ({ from, to, by: ways, kind: 'written' }));
}

/** Paths taken by users without an option on the screen. */
function unwrittenWays(flow: Flow, from: string, counted: readonly PathSums[], written: readonly Way[]): Way[] {
  const known = new Set(written.map(({ to }) => to));
  return counted
    .filter(({ to, people }) => people > 0 && !known.has(to) && Object.hasOwn(flow.screens, to))
    .map(({ to }): Way => {
      if (to === from) return { from, to, by: [], kind: 'stayed' };
      return to === flow.exit ? { from, to, by: [engineKeys.exit], kind: 'exit' } : { from, to, by: [], kind: 'other' };
    });
}
