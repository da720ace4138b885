import { callerFactsAtMost } from '../caller-facts.js';
import { neededOn } from '../facts.js';
import type { Facts, Flow, Screen } from '../flow.js';
import { effectsOf, factsSetOn, listOn, nextOf, type Transition, transitionsOf } from '../screen-options.js';
import { factsOfMessages, placeholdersIn } from '../texts.js';
import type { Problem } from './problem.js';

/** Facts that the engine fills in, available on every screen. */
export const alwaysKnown: readonly string[] = Object.keys(callerFactsAtMost);

/**
 * Finds unreachable screens, and facts that a screen or an operation needs but that are missing on some path to it.
 * Without this check, rendering fails for the first user on that path.
 */
export function checkFacts(flow: Flow, facts: Facts): Problem[] {
  const always = new Set([...alwaysKnown, ...Object.keys(facts)]);
  const present = factsPresent(flow, always);
  const missing = (state: string, known: ReadonlySet<string>) => {
    const screen = flow.screens[state];
    const needed = screen === undefined ? [] : neededOn(flow, screen);
    return [...new Set(needed)].filter((name) => !known.has(name));
  };
  const unreached = Object.keys(flow.screens).filter((state) => !present.has(state));
  return [
    ...checkNames(flow, always),
    ...unreached.map((state) => problem(state, 'no key leads here')),
    ...missing(flow.start, always).map((name) => problem(flow.start, `a dial does not have the fact "${name}"`)),
    ...missing(flow.exit, always).map((name) =>
      problem(flow.exit, `a caller who leaves by * may not have the fact "${name}"`),
    ),
    ...Object.entries(flow.screens).flatMap(([state, screen]) => {
      const here = present.get(state) ?? always;
      const ways = transitionsOf(flow, screen).flatMap((way) => {
        const { to } = way.landing;
        const onTarget = onArrival(flow, way, here, always);
        const lacking = to === undefined ? [] : missing(to, onTarget);
        return [...lacking.map((name) => lackingOf(flow, to ?? '', name)), ...checkReason(flow, way, onTarget)];
      });
      return [...new Set([...ways, ...checkTaken(flow, screen, here), ...checkSent(flow, screen, here)])].map(
        (description) => problem(state, description),
      );
    }),
  ];
}

function lackingOf(flow: Flow, to: string, name: string): string {
  const isList = flow.screens[to] !== undefined && listOn(flow.screens[to])?.from === name;
  return isList
    ? `leads to "${to}", which lists "${name}", without it: an operation that gives the list must come before on every way`
    : `leads to "${to}", which prints "${name}", without it`;
}

/** Finds service facts that an entry, a choice or an operation would shadow: the value under such a name is lost. */
function checkNames(flow: Flow, reserved: ReadonlySet<string>): Problem[] {
  const named = [
    ...Object.entries(flow.screens).flatMap(([state, screen]) => namesOf(state, screen)),
    ...Object.entries(flow.operations ?? {}).flatMap(([operation, { results, lists = {}, call }]) => {
      const resultAt = (result: string) => ['operations', operation, 'gives', ...(call === undefined ? [] : [result])];
      const facts = Object.entries(results).flatMap(([result, facts]) =>
        Object.keys(facts).map((name) => ({ name, at: [...resultAt(result), name] })),
      );
      const listed = Object.entries(lists).flatMap(([result, { name, fields }]) => [
        { name, at: [...resultAt(result), name] },
        ...Object.keys(fields).map((field) => ({ name: field, at: [...resultAt(result), name, 'items', field] })),
      ]);
      return [...facts, ...listed];
    }),
  ];
  return named
    .filter(({ name }) => reserved.has(name))
    .map(({ at, name }) => ({ at, description: `"${name}" is a fact of the service: use another name` }));
}

function namesOf(state: string, screen: Screen): { readonly name: string; readonly at: readonly string[] }[] {
  if (screen.kind === 'closing') return [];
  const at = ['screens', state];
  const chosen = (['options', 'navigation'] as const).flatMap((part) =>
    screen[part].flatMap((option, index) =>
      'choose' in option && option.choose !== undefined
        ? [{ name: option.choose.name, at: [...at, part, String(index), 'choose', option.choose.name] }]
        : [],
    ),
  );
  const typed = screen.kind === 'entry' && !screen.entry.secret ? [screen.entry.name] : [];
  return [...typed.map((name) => ({ name, at: [...at, 'entry', 'name'] })), ...chosen];
}

/** Facts available on a screen on every path to it. */
function factsPresent(flow: Flow, always: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const alone = [flow.start, flow.exit, flow.resumeOffer, flow.working].filter((state) => state !== undefined);
  const present = new Map(alone.map((state) => [state, always]));
  for (const state of present.keys()) {
    const screen = flow.screens[state];
    for (const way of screen === undefined ? [] : transitionsOf(flow, screen)) {
      const { to } = way.landing;
      if (to === undefined) continue;
      const before = present.get(to);
      const arriving = onArrival(flow, way, present.get(state) ?? always, always);
      const both = before === undefined ? arriving : new Set([...before].filter((name) => arriving.has(name)));
      if (both.size === before?.size) continue;
      // Deleted and set again, so that the iteration visits the screens behind it once more.
      present.delete(to);
      present.set(to, both);
    }
  }
  return present;
}

/** Facts available on the target screen of a transition. */
function onArrival(flow: Flow, way: Transition, here: ReadonlySet<string>, always: ReadonlySet<string>) {
  const target = way.landing.to === undefined ? undefined : flow.screens[way.landing.to];
  if (target === undefined) return new Set([...here, ...way.reasonFacts]);
  const carried = (target.carries ?? []).filter((name) => here.has(name) || way.sets.includes(name));
  return new Set([...always, ...carried]);
}

function checkReason(
  flow: Flow,
  { landing: { reason }, reasonFacts }: Transition,
  onTarget: ReadonlySet<string>,
): string[] {
  if (reason === undefined) return [];
  const named = Object.values(flow.texts).flatMap((texts) => placeholdersIn(texts[reason] ?? ''));
  return named
    .filter((name) => !onTarget.has(name) && !reasonFacts.includes(name))
    .map((name) => `gives the reason "${reason}", which prints "${name}", without it`);
}

function checkTaken(flow: Flow, screen: Screen, here: ReadonlySet<string>): string[] {
  return effectsOf(screen).flatMap((use) => {
    const typed = use === nextOf(screen) ? factsSetOn(flow, screen) : [];
    const lacking = (flow.operations?.[use.effect]?.takes ?? []).filter(
      (name) => !typed.includes(name) && !here.has(name),
    );
    return lacking.map((name) => `"${use.effect}" takes "${name}", which is not known on every way here`);
  });
}

function checkSent(flow: Flow, screen: Screen, here: ReadonlySet<string>): string[] {
  const typed = factsSetOn(flow, screen);
  return factsOfMessages(flow, screen)
    .filter((name) => !here.has(name) && !typed.includes(name))
    .map((name) => `sends a message with "${name}", which is not known on every way here`);
}

function problem(state: string, description: string): Problem {
  return { at: ['screens', state], description };
}
