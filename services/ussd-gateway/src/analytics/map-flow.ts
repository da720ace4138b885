import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';
import { writtenPages } from '../engine/check/screen-pages.js';
import { engineKeys, type Facts, type Flow, type Screen } from '../engine/flow.js';
import { waysOn } from '../engine/screen-options.js';
import { afterWays, allOf, medianDwell, type Sums, screenName, type WaySums } from './sums.js';

type MappedScreen = UssdMappedFlow['screens'][number];
type MappedWay = UssdMappedFlow['ways'][number];

/** The map of a flow, with the counts of this version. Pure. */
export function mapFlow(flow: Flow, sums: Sums, facts: Facts): UssdMappedFlow {
  const { id, version, start, exit } = flow;
  const mapped = Object.entries(flow.screens).map(([state, screen]) => mapScreen(flow, { state, screen }, sums, facts));
  return {
    ...{ id, version, start, exit, languages: Object.keys(flow.texts) },
    screens: mapped.map((one) => one.screen),
    ways: mapped.flatMap((one) => one.ways),
  };
}

interface Mapped {
  readonly screen: MappedScreen;
  readonly ways: readonly MappedWay[];
}

function mapScreen(flow: Flow, named: { state: string; screen: Screen }, sums: Sums, facts: Facts): Mapped {
  const { state, screen } = named;
  const { kind } = screen;
  const counted = sums.screens.get(screenName(flow.id, state));
  const ofVersion = (ways: ReadonlyMap<string, WaySums> = new Map()) =>
    [...ways.values()].filter(({ version }) => version === flow.version);
  const on = ofVersion(counted?.on);
  const into = ofVersion(counted?.into);
  // Visits of a closing screen are counted on the path alone.
  const visits =
    kind === 'closing'
      ? into.reduce((sum, { dwell }) => sum + allOf(dwell), 0)
      : (counted?.visits.get(flow.version) ?? 0);
  const [page = ''] = writtenPages(flow, { ...named, language: flow.defaultLanguage }, facts);
  const [title = ''] = page.split('\n');
  const { dropOff } = afterWays(into, visits);
  const written = writtenWays(flow, named);
  return {
    screen: { screen: state, kind, title, visits, dropOff, medianDwellMs: medianDwell(on) },
    ways: [...written, ...unwrittenWays(flow, state, on, written)].map((way) => {
      const taken = on.filter(({ to }) => to === way.to);
      const people = taken.reduce((sum, { dwell }) => sum + allOf(dwell), 0);
      return { ...way, people, medianMs: medianDwell(taken), dropOff: afterWays(taken, people).dropOff };
    }),
  };
}

type Way = Pick<MappedWay, 'from' | 'to' | 'by' | 'kind'>;

/** The paths to other screens, one for each screen. */
function writtenWays(flow: Flow, { state: from, screen }: { state: string; screen: Screen }): Way[] {
  const by = new Map<string, string[]>();
  for (const way of waysOn(flow, screen)) {
    const { to } = way.landing;
    if (to !== undefined && to !== from) by.set(to, [...(by.get(to) ?? []), way.by]);
  }
  return [...by].map(([to, ways]): Way => ({ from, to, by: ways, kind: 'written' }));
}

/** Paths taken by users without an option on the screen. */
function unwrittenWays(flow: Flow, from: string, counted: readonly WaySums[], written: readonly Way[]): Way[] {
  const known = new Set(written.map(({ to }) => to));
  return counted
    .filter(({ to, dwell }) => dwell.size > 0 && !known.has(to) && Object.hasOwn(flow.screens, to))
    .map(({ to }): Way => {
      if (to === from) return { from, to, by: [], kind: 'stayed' };
      return to === flow.exit ? { from, to, by: [engineKeys.exit], kind: 'exit' } : { from, to, by: [], kind: 'other' };
    });
}
