import type { Flow, Screen } from '../flow.js';
import { effectsOf, goesOut, isOpenToAll, optionsOf } from '../screen-options.js';
import { messageOf, placeholdersIn } from '../texts.js';
import { checkLogIns } from './check-log-ins.js';
import type { Problem } from './problem.js';

/** Finds problems of the operations, entries and authenticated screens of a flow. */
export function checkEffects(flow: Flow): Problem[] {
  const ofScreens = Object.entries(flow.screens).flatMap(([state, screen]) =>
    [
      ...checkResults(flow, screen),
      ...checkRefusals(screen),
      ...checkLogIns(flow, screen),
      ...checkSecrets(flow, screen),
      ...checkOutcomesAfterDial(flow, screen),
    ].map((description) => ({ at: ['screens', state], description })),
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
      description: 'no screen uses it: name it in do or message, or remove it',
    }));
}

/** If the session ends first, the next dial shows the outcome of an act: its target must be a public screen or have a reason. */
function checkOutcomesAfterDial(flow: Flow, screen: Screen): string[] {
  return effectsOf(screen)
    .filter(({ effect }) => flow.operations?.[effect]?.kind === 'act')
    .flatMap(({ effect, results }) =>
      Object.entries(results)
        .filter(([, { to, reason }]) => reason === undefined && (to === undefined || !isOpenToAll(flow, to)))
        .map(([result]) => `"${effect}" that ended as "${result}" cannot be shown after a new dial without a reason`),
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

/** External operations receive no secret, so a screen that uses one must not request a secret. */
function checkSecrets(flow: Flow, screen: Screen): string[] {
  if (screen.kind !== 'entry' || !screen.entry.secret || !('effect' in screen.entry.next)) return [];
  const { effect } = screen.entry.next;
  const operation = flow.operations?.[effect];
  return operation !== undefined && goesOut(operation) ? [`hands a secret to the ${operation.kind} "${effect}"`] : [];
}

function sameNames(where: string, expected: readonly string[], actual: readonly string[]): string[] {
  return [
    ...expected.filter((name) => !actual.includes(name)).map((name) => `${where} has no landing for "${name}"`),
    ...actual.filter((name) => !expected.includes(name)).map((name) => `${where} never gives "${name}"`),
  ];
}

/**
 * Finds webhooks that receive a secret fact, and messages that name one. A fact is secret in the whole flow if a used
 * operation declares its name secret.
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
    description: `"${fact}" is secret: it may be shown on screens, but never sent to a webhook or in a message`,
  }));
}

/** Menus that the engine opens itself: each has one key with an action that no other screen can have. */
const ownMenus = [
  { named: 'resumeOffer', does: 'resumes', verb: 'resumes', menu: 'the offer to resume' },
  { named: 'working', does: 'looksAgain', verb: 'looks again', menu: 'the screen for a pending act' },
] as const;

/** Finds problems of the resume menu and of the screen for a pending act. */
export function checkOwnMenus(flow: Flow): Problem[] {
  const acts = Object.values(flow.operations ?? {}).some(({ kind }) => kind === 'act');
  const isNeeded = flow.working === undefined && acts;
  return [
    ...(isNeeded ? [{ at: ['working'], description: 'a flow with acts needs a screen for a pending act' }] : []),
    ...ownMenus.flatMap(({ named, does, verb, menu }): Problem[] => {
      const own = flow[named];
      const keysOf = (state: string) => {
        const screen = flow.screens[state];
        return screen === undefined ? 0 : optionsOf(screen).filter((option) => does in option).length;
      };
      const otherScreens = Object.keys(flow.screens)
        .filter((state) => state !== own && keysOf(state) > 0)
        .map((state) => ({ at: ['screens', state], description: `only ${menu} has a key that ${verb}` }));
      if (own === undefined) return otherScreens;
      if (flow.screens[own]?.kind !== 'menu')
        return [...otherScreens, { at: [named], description: `"${own}" is not a menu of this flow` }];
      const keys = keysOf(own);
      return keys === 1
        ? otherScreens
        : [...otherScreens, { at: ['screens', own], description: `one key ${verb}, not ${keys}` }];
    }),
  ];
}
