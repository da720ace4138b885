import { effectsOf, type Flow, isOpenToAll, landingsOf, type Screen } from './flow.js';

/** What would go wrong with the effects, entries and authenticated screens of a flow: one sentence per problem. */
export function checkEffects(flow: Flow): string[] {
  const names = [flow.effects, flow.checks, flow.queries].flatMap((some) => Object.keys(some ?? {}));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const screens = Object.entries(flow.screens).flatMap(([state, screen]) => [
    ...checkResults(flow, state, screen),
    ...checkRefusals(state, screen),
    ...checkDoors(flow, state, screen),
    ...checkSecrets(flow, state, screen),
    ...checkTellable(flow, state, screen),
  ]);
  return [...twice.map((name) => `"${name}" is declared twice among effects, checks and queries`), ...screens];
}

/** What became of an effect is told to who dials again: on a screen that is for everybody, or by a reason. */
function checkTellable(flow: Flow, state: string, screen: Screen): string[] {
  return effectsOf(screen)
    .filter(({ effect }) => flow.effects?.[effect] !== undefined)
    .flatMap(({ effect, results }) =>
      Object.entries(results)
        .filter(([, { to, reason }]) => reason === undefined && (to === undefined || !isOpenToAll(flow, to)))
        .map(
          ([result]) =>
            `${state}: who dials again cannot be told that "${effect}" ended as "${result}" without a reason`,
        ),
    );
}

function checkResults(flow: Flow, state: string, screen: Screen): string[] {
  return effectsOf(screen).flatMap(({ effect, results }) => {
    const declared = flow.effects?.[effect] ?? flow.checks?.[effect] ?? flow.queries?.[effect]?.results;
    if (declared === undefined) return [`${state}: "${effect}" is no effect, check or query of this flow`];
    return sameNames(`${state}: ${effect}`, declared, Object.keys(results));
  });
}

function checkRefusals(state: string, screen: Screen): string[] {
  if (screen.kind !== 'entry') return [];
  const { rule, refusals } = screen.entry;
  const silent = Object.entries(refusals).filter(([, { reason }]) => reason === undefined);
  return [
    ...sameNames(`${state}: its entry`, rule.refusals, Object.keys(refusals)),
    ...silent.map(([name]) => `${state}: refuses "${name}" without a reason`),
  ];
}

/** A query goes out of the house: it gets no secret, so a screen that asks for one has no use for it. */
function checkSecrets(flow: Flow, state: string, screen: Screen): string[] {
  if (screen.kind !== 'entry' || !screen.entry.secret || !('effect' in screen.entry.next)) return [];
  const { effect } = screen.entry.next;
  return flow.queries?.[effect] === undefined ? [] : [`${state}: hands a secret to the query "${effect}"`];
}

/** Only an effect may lead from an open screen to an authenticated one; a query cannot log anybody in. */
function checkDoors(flow: Flow, state: string, screen: Screen): string[] {
  if (screen.kind === 'closing' || screen.authenticated === true) return [];
  const used = effectsOf(screen).filter(({ effect }) => flow.queries?.[effect] === undefined);
  const results = new Set(used.flatMap((use) => Object.values(use.results)));
  return landingsOf(screen)
    .filter((landing) => !results.has(landing))
    .filter(({ to }) => {
      const target = to === undefined ? undefined : flow.screens[to];
      return target !== undefined && target.kind !== 'closing' && target.authenticated === true;
    })
    .map(({ to }) => `${state}: leads to the authenticated screen "${to}" without an effect`);
}

function sameNames(where: string, expected: readonly string[], given: readonly string[]): string[] {
  return [
    ...expected.filter((name) => !given.includes(name)).map((name) => `${where} has no landing for "${name}"`),
    ...given.filter((name) => !expected.includes(name)).map((name) => `${where} never gives "${name}"`),
  ];
}
