import type { Flow, Screen } from './flow.js';
import { givenOn } from './list.js';
import { factsOfMessages } from './messages-of.js';
import { neededOn } from './named-facts.js';
import { effectsOf, waysOn } from './ways-on.js';

/**
 * The facts and lists that each screen keeps: those that it prints or takes, and those that a screen behind it does. Everything else is forgotten on the
 * way in, and what a screen asks for it does not know from before.
 *
 * @param known facts that every screen has anyway.
 */
export function keepFacts(flow: Flow, known: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const screens = Object.entries(flow.screens);
  const kept = new Map(screens.map(([state, screen]) => [state, new Set(neededBy(flow, screen, known))]));
  // Each round looks one screen further ahead.
  for (let [before, after] = [-1, 0]; before !== after; ) {
    before = after;
    for (const [state, screen] of screens)
      for (const name of neededAhead(flow, screen, kept)) kept.get(state)?.add(name);
    after = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
  }
  return new Map([...kept].map(([state, names]) => [state, [...names]]));
}

/** What the screens that a screen leads to keep, and do not get on the way. */
function neededAhead(flow: Flow, screen: Screen, kept: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const given = givenOn(flow, screen);
  return waysOn(flow, screen).flatMap(({ landing: { to }, gives }) => {
    const names = to === undefined ? [] : [...(kept.get(to) ?? [])];
    return names.filter((name) => !gives.includes(name) && !given.includes(name));
  });
}

function neededBy(flow: Flow, screen: Screen, known: ReadonlySet<string>): string[] {
  const taken = effectsOf(screen).flatMap(({ effect }) => {
    const { takes = [], mayTake = [] } = flow.operations?.[effect] ?? {};
    return [...takes, ...mayTake];
  });
  const given = givenOn(flow, screen);
  return [...neededOn(flow, screen), ...taken, ...factsOfMessages(flow, screen)].filter(
    (name) => !known.has(name) && !given.includes(name),
  );
}
