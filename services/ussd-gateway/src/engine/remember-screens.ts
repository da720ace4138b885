import { callerFactsAtMost, isByNetwork } from './caller-facts.js';
import type { Choices, Facts, Flow } from './flow.js';
import { neededOn } from './named-facts.js';
import { type Shown, show } from './show.js';

/**
 * Prints screens as `show` does, and those that are the same for everybody once: there are as many of them as the flow has pages. Without it a
 * menu hop costs some 4 µs of CPU more, of 60 (`npm run bench -- hop`).
 *
 * @param shared facts that all sessions have alike.
 */
export function rememberScreens(shared: Facts): typeof show {
  const known = new WeakMap<Flow, ReadonlyMap<string, Map<string, Shown>>>();
  return (flow, position, facts) => {
    const { state, language, page, choices, notice } = position;
    const plain = known.get(flow) ?? plainScreens(flow, shared);
    known.set(flow, plain);
    const pages = notice === undefined ? plain.get(state) : undefined;
    if (pages === undefined) return show(flow, position, facts);
    const name = `${language} ${page} ${nameOf(choices)}`;
    const shown = pages.get(name) ?? show(flow, position, facts);
    pages.set(name, shown);
    return shown;
  };
}

/** Most sessions have none. */
function nameOf(choices: Choices): string {
  for (const _ in choices) return JSON.stringify(choices);
  return '';
}

/** The pages of each screen that prints nothing of a subscriber's own. */
function plainScreens(flow: Flow, shared: Facts) {
  const isPlain = (name: string) => Object.hasOwn(shared, name) && !Object.hasOwn(callerFactsAtMost, name);
  const plain = Object.entries(flow.screens).filter(
    ([, screen]) => neededOn(flow, screen).every(isPlain) && !screen.lines.some(isByNetwork),
  );
  return new Map(plain.map(([state]) => [state, new Map<string, Shown>()]));
}
