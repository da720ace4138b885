import { type Facts, type Flow, type Landing, landingsOf, optionsOf, type Screen } from './flow.js';
import { namedFacts } from './named-facts.js';

/** Known on every screen: what the engine itself fills in. */
const always = ['phoneNumber'];

/**
 * Facts that a screen prints and cannot know: it does not keep them, or somebody leads there without them. Printing such
 * a screen would fail, for the first user who gets there.
 */
export function checkFacts(flow: Flow, facts: Facts): string[] {
  const known = new Set([...always, ...Object.keys(facts)]);
  const printed = new Map(
    Object.entries(flow.screens).map(([state, screen]) => [
      state,
      [...new Set(namedFacts(flow, screen))].filter((name) => !known.has(name)),
    ]),
  );
  return [
    ...(printed.get(flow.start) ?? []).map((name) => `${flow.start}: nobody who dials has the fact "${name}"`),
    ...(printed.get(flow.exit) ?? []).map((name) => `${flow.exit}: who leaves by * may not have the fact "${name}"`),
    ...Object.entries(flow.screens).flatMap(([state, screen]) => [
      ...(printed.get(state) ?? [])
        .filter((name) => !(screen.keeps ?? []).includes(name))
        .map((name) => `${state}: prints the fact "${name}" and does not keep it`),
      ...checkWaysOn(flow, state, screen, printed),
    ]),
  ];
}

function checkWaysOn(flow: Flow, state: string, screen: Screen, printed: ReadonlyMap<string, string[]>): string[] {
  const problems = landingsOf(screen).flatMap((landing) => {
    const { to } = landing;
    const target = to === undefined ? undefined : flow.screens[to];
    if (to === undefined || target === undefined) return [];
    const given = new Set([...(screen.keeps ?? []), ...givenOn(flow, screen, landing)]);
    return (printed.get(to) ?? [])
      .filter((name) => (target.keeps ?? []).includes(name) && !given.has(name))
      .map((name) => `${state}: leads to "${to}", which prints "${name}", without it`);
  });
  return [...new Set(problems)];
}

/** What becomes known on the way to a landing: what was typed, what an effect found out. */
function givenOn(flow: Flow, screen: Screen, landing: Landing): string[] {
  const entry = screen.kind === 'entry' ? screen.entry : undefined;
  const typed = entry === undefined || entry.secret ? [] : [entry.name];
  if (entry !== undefined && entry.next === landing) return typed;
  const byKey = optionsOf(screen).filter((option) => 'effect' in option);
  const byEntry = entry !== undefined && 'effect' in entry.next ? [entry.next] : [];
  const leadsHere = ({ results }: { results: Readonly<Record<string, Landing>> }) =>
    Object.values(results).includes(landing);
  return [
    ...byKey.filter(leadsHere).flatMap(({ effect }) => foundBy(flow, effect)),
    ...byEntry.filter(leadsHere).flatMap(({ effect }) => [...typed, ...foundBy(flow, effect)]),
  ];
}

/** A query says what it finds out; other effects may give any fact that the flow has. */
function foundBy(flow: Flow, effect: string): string[] {
  const query = flow.queries?.[effect];
  return query === undefined ? (flow.longestFacts ?? []).flatMap(Object.keys) : Object.keys(query.longest);
}
