import {
  effectsOf,
  engineTexts,
  type Facts,
  type Flow,
  type Line,
  landingsOf,
  longestFactsOf,
  type Screen,
  type TextKey,
} from './flow.js';
import { fitsMessage, networkLimits } from './message-limits.js';
import type { Position } from './position.js';
import { type Shown, show } from './show.js';
import { sayLine } from './texts.js';

/** A screen of more pages than this is a mistake in its texts: nobody turns so many on a phone. */
const maxPages = 12;

/**
 * Prints every screen in every language, for every choice, with the longest facts, and with every reason on every page;
 * says what will not go.
 */
export function checkFit(flow: Flow, facts: Facts): string[] {
  const problems = longestFactsOf(flow).flatMap((longest) =>
    Object.keys(flow.texts).flatMap((language) =>
      Object.entries(flow.screens).flatMap(([state, screen]) =>
        choicesOf(screen.lines).flatMap((choices) => {
          const position: Position = { state, language, choices, page: 0 };
          try {
            return checkScreen(flow, screen, position, { ...facts, ...longest });
          } catch (error) {
            return [`${state} in ${language}: ${error instanceof Error ? error.message : 'cannot be printed'}`];
          }
        }),
      ),
    ),
  );
  return [...new Set(problems)];
}

function checkScreen(flow: Flow, screen: Screen, position: Position, facts: Facts): string[] {
  const problems: string[] = [];
  const where = `${position.state} in ${position.language}`;
  const pages = showPages(flow, position, facts, () => true);
  if (pages.length > maxPages) return [`${where}: more than ${maxPages} pages`];
  const noticed = reasonsOf(flow, position.state, screen).flatMap((text) =>
    pages.flatMap((_, page) =>
      showPages(flow, { ...position, page, notice: { text, page } }, facts, (shown) => shown.screenPage === page),
    ),
  );
  if ([...pages, ...noticed].some(({ message }) => !fitsMessage(message, networkLimits)))
    problems.push(`${where}: a page is too long`);
  if (screen.kind === 'closing') {
    const wording = { flow, language: position.language, facts };
    const whole = screen.lines.flatMap((line) => sayLine(line, position.choices, wording)).join('\n');
    if (pages[0]?.message !== whole) problems.push(`${where}: a closing message must fit one page`);
  }
  return problems;
}

/** The pages from a position on, as far as they are wanted, and one more than allowed at most. */
function showPages(flow: Flow, first: Position, facts: Facts, wanted: (shown: Shown) => boolean): Shown[] {
  const pages: Shown[] = [];
  for (let page = first.page; page <= first.page + maxPages; page++) {
    const shown = show(flow, { ...first, page }, facts);
    if (!wanted(shown)) break;
    pages.push(shown);
    if (!shown.hasMore) break;
  }
  return pages;
}

/** Every first line that a screen can get: why an input was refused there, or what led there. */
function reasonsOf(flow: Flow, state: string, screen: Screen): TextKey[] {
  if (screen.kind === 'closing') return [];
  const told = Object.entries(flow.screens).flatMap(([from, other]) =>
    landingsOf(other).flatMap(({ to = from, reason }) => (reason === undefined || to !== state ? [] : [reason])),
  );
  if (flow.interrupted !== undefined) told.push(flow.interrupted);
  return [engineTexts.wrongChoice, ...new Set(state === flow.start ? [...told, ...toldToWhoDials(flow)] : told)];
}

/** What who dials again is told of an effect, on the first screen. */
function toldToWhoDials(flow: Flow): TextKey[] {
  return Object.values(flow.screens)
    .flatMap(effectsOf)
    .filter(({ effect }) => flow.effects?.[effect] !== undefined)
    .flatMap(({ results }) => Object.values(results).flatMap(({ reason }) => reason ?? []));
}

/** Choices under which each variant of each line is printed once: a line depends on one choice alone. */
function choicesOf(lines: readonly Line[]): Record<string, string>[] {
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
