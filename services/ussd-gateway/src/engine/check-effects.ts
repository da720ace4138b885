import { effectsOf, type Flow, isOpenToAll, landingsOf, optionsOf, type Screen } from './flow.js';

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
  return [
    ...twice.map((name) => `"${name}" is declared twice among effects, checks and queries`),
    ...checkWorking(flow),
    ...screens,
  ];
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

function checkWorking(flow: Flow): string[] {
  const elsewhere = Object.entries(flow.screens)
    .filter(([state, screen]) => state !== flow.working && optionsOf(screen).some(looksAgain))
    .map(([state]) => `${state}: only the screen of what is under way has a key that looks again`);
  const needed = Object.keys(flow.effects ?? {}).length > 0;
  if (flow.working === undefined)
    return needed ? [...elsewhere, 'working: a flow with effects needs a screen for those under way'] : elsewhere;
  const screen = flow.screens[flow.working];
  if (screen?.kind !== 'menu') return [...elsewhere, `working: "${flow.working}" is not a menu of this flow`];
  const keys = optionsOf(screen).filter(looksAgain).length;
  return keys === 1 ? elsewhere : [...elsewhere, `${flow.working}: one key looks again, not ${keys}`];
}

function looksAgain(option: object): boolean {
  return 'looksAgain' in option;
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
