import { choicesOf } from './choices-of.js';
import type { Lists } from './declared-list.js';
import type { Facts, Flow, Screen } from './flow.js';
import { countSeptets } from './gsm7.js';
import { fullLists } from './list.js';
import { longestFacts } from './longest-facts.js';
import { networkLimits } from './message-limits.js';
import { namedFacts } from './named-facts.js';
import { showPages } from './show-pages.js';

/** A screen that a flow has, in one of its languages, as somebody who reads the flow wants it. */
export interface WantedScreen {
  readonly state: string;
  readonly screen: Screen;
  readonly language: string;
}

/** Its pages, for each of the choices it depends on. What is not known stands as in its text: `{name}`; a list has one item. */
export function writtenPages(flow: Flow, wanted: WantedScreen, facts: Facts): string[] {
  const unknown = Object.fromEntries(namedFacts(flow, wanted.screen).map((name) => [name, `{${name}}`]));
  return pagesWith(flow, wanted, { ...unknown, ...facts }, fullLists(flow, wanted.screen, {}, 1));
}

/** Of its pages with the longest values, the one that takes the largest part of a message. */
export function longestPage(flow: Flow, wanted: WantedScreen, facts: Facts): string {
  const pages = longestFacts(flow).flatMap((longest) => {
    const known = { ...facts, ...longest };
    return pagesWith(flow, wanted, known, fullLists(flow, wanted.screen, known));
  });
  return pages.reduce((most, page) => (partOfMessage(page) > partOfMessage(most) ? page : most), '');
}

function pagesWith(flow: Flow, { state, screen, language }: WantedScreen, facts: Facts, lists?: Lists): string[] {
  return choicesOf(screen.lines).flatMap((choices) =>
    showPages(flow, { state, language, choices, page: 0, lists }, facts).map(({ message }) => message),
  );
}

function partOfMessage(text: string): number {
  const septets = countSeptets(text);
  return septets === undefined ? text.length / networkLimits.ucs2Units : septets / networkLimits.septets;
}
