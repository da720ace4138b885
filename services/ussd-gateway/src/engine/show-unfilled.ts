import { choicesOf } from './choices-of.js';
import type { Facts, Flow } from './flow.js';
import { namedFacts } from './named-facts.js';
import { type Shown, show } from './show.js';

/** The first page of a screen, for each of the choices it depends on. What is not known stands as in its text: `{name}`. */
export function showUnfilled(flow: Flow, state: string, language: string, facts: Facts): readonly Shown[] {
  const screen = flow.screens[state];
  if (screen === undefined) return [];
  const unknown = Object.fromEntries(namedFacts(flow, screen).map((name) => [name, `{${name}}`]));
  return choicesOf(screen.lines).map((choices) =>
    show(flow, { state, language, choices, page: 0 }, { ...unknown, ...facts }),
  );
}
