import type { Lists } from '../declarations.js';
import { longestFacts, namedFacts } from '../facts.js';
import type { Choices, Facts, Flow, Line, Screen } from '../flow.js';
import { countSeptets } from '../pages/gsm7.js';
import { networkLimits } from '../pages/message-limits.js';
import type { Position } from '../position.js';
import { fullLists } from '../screen-options.js';
import { type Shown, showAll } from '../show.js';

/** A screen with more pages has a mistake in its texts: callers do not turn so many pages on a phone. */
export const maxPages = 12;

/** The pages from a position on, up to the requested number, and at most one more than allowed. */
export function showPages(
  flow: Flow,
  first: Position,
  facts: Facts,
  wanted: (shown: Shown) => boolean = () => true,
): Shown[] {
  const pages = showAll(flow, first, facts).slice(first.page, first.page + maxPages + 1);
  const end = pages.findIndex((shown) => !wanted(shown));
  return end === -1 ? pages : pages.slice(0, end);
}

/** Choices that print each variant of each line once: a line depends on one choice only. */
export function choicesOf(lines: readonly Line[]): Choices[] {
  const chosen = lines.filter((line) => typeof line !== 'string');
  const most = Math.max(1, ...chosen.map((line) => Object.keys(line.texts).length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(
      chosen.map((line) => {
        const values = Object.keys(line.texts);
        return [line.chosenBy, values[index % values.length] ?? ''];
      }),
    ),
  );
}

/** A screen of a flow in one of its languages, requested by a reader of the flow. */
export interface WantedScreen {
  readonly state: string;
  readonly screen: Screen;
  readonly language: string;
}

/** The pages of a screen, for each of its choices. Unknown facts are printed as `{name}`; a list has one item. */
export function writtenPages(flow: Flow, wanted: WantedScreen, facts: Facts): string[] {
  const unknown = Object.fromEntries(namedFacts(flow, wanted.screen).map((name) => [name, `{${name}}`]));
  return pagesWith(flow, wanted, { ...unknown, ...facts }, fullLists(flow, wanted.screen, {}, 1));
}

/** The page of a screen, with the longest values, that takes the largest part of a message. */
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
