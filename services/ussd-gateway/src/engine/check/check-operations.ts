import type { Flow, Screen } from '../flow.js';
import { effectsOf, goesOut, isOpenToAll, landingsOf, optionsOf } from '../screen-options.js';
import { messageOf, placeholdersIn } from '../texts.js';
import type { Problem } from './problem.js';

/** What would go wrong with the operations, entries and authenticated screens of a flow. */
export function checkEffects(flow: Flow): Problem[] {
  const ofScreens = Object.entries(flow.screens).flatMap(([state, screen]) =>
    [
      ...checkResults(flow, screen),
      ...checkRefusals(screen),
      ...checkDoors(flow, screen),
      ...checkSecrets(flow, screen),
      ...checkTellable(flow, screen),
    ].map((says) => ({ at: ['screens', state], says })),
  );
  return [...ofScreens, ...checkUnused(flow)];
}

function checkUnused(flow: Flow): Problem[] {
  const used = new Set(
    Object.values(flow.screens)
      .flatMap(effectsOf)
      .flatMap(({ effect, results }) => [effect, ...Object.values(results).flatMap(({ message }) => message ?? [])]),
  );
  return Object.keys(flow.operations ?? {})
    .filter((name) => !used.has(name))
    .map((name) => ({
      at: ['operations', name],
      says: 'no screen uses it: name it in do or message, or remove it',
    }));
}

/** What became of an act is told to who dials again: on a screen that is for everybody, or by a reason. */
function checkTellable(flow: Flow, screen: Screen): string[] {
  return effectsOf(screen)
    .filter(({ effect }) => flow.operations?.[effect]?.kind === 'act')
    .flatMap(({ effect, results }) =>
      Object.entries(results)
        .filter(([, { to, reason }]) => reason === undefined && (to === undefined || !isOpenToAll(flow, to)))
        .map(([result]) => `who dials again cannot be told that "${effect}" ended as "${result}" without a reason`),
    );
}

function checkResults(flow: Flow, screen: Screen): string[] {
  return effectsOf(screen).flatMap(({ effect, results }) => {
    const declared = flow.operations?.[effect];
    if (declared === undefined) return [`"${effect}" is no operation of this flow`];
    return sameNames(effect, Object.keys(declared.results), Object.keys(results));
  });
}

function checkRefusals(screen: Screen): string[] {
  if (screen.kind !== 'entry') return [];
  const { rule, refusals } = screen.entry;
  const silent = Object.entries(refusals).filter(([, { reason }]) => reason === undefined);
  return [
    ...sameNames('its entry', rule.refusals, Object.keys(refusals)),
    ...silent.map(([name]) => `refuses "${name}" without a reason`),
  ];
}

/** What goes out of the house gets no secret, so a screen that asks for one has no use for it. */
function checkSecrets(flow: Flow, screen: Screen): string[] {
  if (screen.kind !== 'entry' || !screen.entry.secret || !('effect' in screen.entry.next)) return [];
  const { effect } = screen.entry.next;
  const operation = flow.operations?.[effect];
  return operation !== undefined && goesOut(operation) ? [`hands a secret to the ${operation.kind} "${effect}"`] : [];
}

/** Only an act or a check of this service may lead from an open screen to an authenticated one; nobody else can log anybody in. */
function checkDoors(flow: Flow, screen: Screen): string[] {
  if (screen.kind === 'closing' || screen.authenticated === true) return [];
  const used = effectsOf(screen).filter(({ effect }) => {
    const operation = flow.operations?.[effect];
    return operation === undefined || !goesOut(operation);
  });
  const results = new Set(used.flatMap((use) => Object.values(use.results)));
  return landingsOf(screen)
    .filter((landing) => !results.has(landing))
    .filter(({ to }) => {
      const target = to === undefined ? undefined : flow.screens[to];
      return target !== undefined && target.kind !== 'closing' && target.authenticated === true;
    })
    .map(({ to }) => `leads to the authenticated screen "${to}" without an act or a check`);
}

function sameNames(where: string, expected: readonly string[], given: readonly string[]): string[] {
  return [
    ...expected.filter((name) => !given.includes(name)).map((name) => `${where} has no landing for "${name}"`),
    ...given.filter((name) => !expected.includes(name)).map((name) => `${where} never gives "${name}"`),
  ];
}

/**
 * Webhooks that are sent a secret fact, and messages that name one. A fact is secret by its name, in the whole flow, if an operation that
 * the flow uses declares it so.
 */
export function checkSecretFacts(flow: Flow): Problem[] {
  const used = Object.values(flow.screens).flatMap((screen) => effectsOf(screen).map(({ effect }) => effect));
  const secret = new Set(used.flatMap((name) => flow.operations?.[name]?.secretFacts ?? []));
  return Object.entries(flow.operations ?? {}).flatMap(([name, operation]) => {
    const key = messageOf(operation)?.text;
    const written = Object.values(flow.texts).flatMap((texts) =>
      key === undefined ? [] : placeholdersIn(texts[key] ?? ''),
    );
    return [
      ...problemsIn(['operations', name, 'sends'], operation.call?.sends ?? [], secret),
      ...problemsIn(['operations', name, 'text'], written, secret),
    ];
  });
}

function problemsIn(at: readonly string[], facts: readonly string[], secret: ReadonlySet<string>): Problem[] {
  const named = [...new Set(facts)].filter((fact) => secret.has(fact));
  return named.map((fact) => ({
    at,
    says: `"${fact}" is secret: screens may print it, and it leaves this service nowhere else`,
  }));
}

/** Menus that the engine goes to by itself: each has one key that does what no other screen can. */
const ownMenus = [
  { named: 'resumeOffer', does: 'resumes', verb: 'resumes', menu: 'the offer to resume' },
  { named: 'working', does: 'looksAgain', verb: 'looks again', menu: 'the screen of what is under way' },
] as const;

/** What would go wrong with the offer to go on after a lost session, and with the screen of what is under way. */
export function checkOwnMenus(flow: Flow): Problem[] {
  const acts = Object.values(flow.operations ?? {}).some(({ kind }) => kind === 'act');
  const isNeeded = flow.working === undefined && acts;
  return [
    ...(isNeeded ? [{ at: ['working'], says: 'a flow with acts needs a screen for those under way' }] : []),
    ...ownMenus.flatMap(({ named, does, verb, menu }): Problem[] => {
      const own = flow[named];
      const keysOf = (state: string) => {
        const screen = flow.screens[state];
        return screen === undefined ? 0 : optionsOf(screen).filter((option) => does in option).length;
      };
      const elsewhere = Object.keys(flow.screens)
        .filter((state) => state !== own && keysOf(state) > 0)
        .map((state) => ({ at: ['screens', state], says: `only ${menu} has a key that ${verb}` }));
      if (own === undefined) return elsewhere;
      if (flow.screens[own]?.kind !== 'menu')
        return [...elsewhere, { at: [named], says: `"${own}" is not a menu of this flow` }];
      const keys = keysOf(own);
      return keys === 1 ? elsewhere : [...elsewhere, { at: ['screens', own], says: `one key ${verb}, not ${keys}` }];
    }),
  ];
}
