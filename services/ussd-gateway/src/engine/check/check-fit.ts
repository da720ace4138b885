import { longestFacts, namedFacts } from '../facts.js';
import { engineTexts, type Facts, type Flow, type Screen, type TextKey } from '../flow.js';
import { fitsMessage, networkLimits } from '../pages/message-limits.js';
import type { Position } from '../position.js';
import { effectsOf, fieldsOn, fullLists, landingsOf, listOn } from '../screen-options.js';
import { placeholdersIn } from '../texts.js';
import type { Problem } from './problem.js';
import { choicesOf, maxPages, showPages } from './screen-pages.js';

/**
 * Renders every screen in every language, for every choice, with the longest facts and with every reason on every page,
 * and reports screens that do not fit.
 */
export function checkFit(flow: Flow, facts: Facts): Problem[] {
  const sets = longestFacts(flow).map((longest) => ({ ...facts, ...longest }));
  const reasons = reasonsByState(flow);
  return Object.entries(flow.screens).flatMap(([state, screen]) => {
    const reasonKeys = reasons.get(state) ?? [];
    const problems = Object.keys(flow.texts).flatMap((language) =>
      differing(sets, printedFacts(flow, screen, reasonKeys)).flatMap((known) =>
        choicesOf(screen.lines).flatMap((choices) => {
          const position: Position = { state, language, choices, page: 0, lists: fullLists(flow, screen, known) };
          return checkPrinted(flow, screen, position, { facts: known, reasonKeys }).map(
            (description) => `in ${language}, ${description}`,
          );
        }),
      ),
    );
    return [...new Set(problems)].map((description) => ({ at: ['screens', state], description }));
  });
}

/** Input for rendering a screen. */
interface Printing {
  readonly facts: Facts;
  /** Every possible first line of the screen. */
  readonly reasonKeys: readonly TextKey[];
}

function printedFacts(flow: Flow, screen: Screen, reasonKeys: readonly TextKey[]): string[] {
  const inReasons = Object.values(flow.texts).flatMap((texts) =>
    reasonKeys.flatMap((key) => placeholdersIn(texts[key] ?? '')),
  );
  return [...namedFacts(flow, screen), ...inReasons, ...Object.keys(fieldsOn(flow, screen))];
}

/** One set of facts for each distinct rendered result. */
function differing(sets: readonly Facts[], names: readonly string[]): readonly Facts[] {
  return [...new Map(sets.map((set) => [JSON.stringify(names.map((name) => set[name])), set])).values()];
}

function checkPrinted(flow: Flow, screen: Screen, position: Position, printing: Printing): string[] {
  try {
    return checkScreen(flow, screen, position, printing);
  } catch (error) {
    return [error instanceof Error ? error.message : 'it cannot be printed'];
  }
}

function checkScreen(flow: Flow, screen: Screen, position: Position, { facts, reasonKeys }: Printing): string[] {
  const pages = showPages(flow, position, facts);
  if (pages.length > maxPages) {
    const from = listOn(screen)?.from;
    const remedy = from === undefined ? '' : ` with "${from}" at its longest: declare fewer items or shorter fields`;
    return [`more than ${maxPages} pages${remedy}`];
  }
  const noticed = reasonKeys.flatMap((text) =>
    pages.flatMap((_, page) =>
      showPages(flow, { ...position, page, notice: { text, page } }, facts, (shown) => shown.screenPage === page),
    ),
  );
  const isTooLong = [...pages, ...noticed].some(({ message }) => !fitsMessage(message, networkLimits));
  if (!isTooLong) return [];
  return [screen.kind === 'closing' ? 'a closing message must fit one page' : 'a page is too long'];
}

/** Every possible first line of each screen: reasons for refused input, and reasons of the transitions to it. */
function reasonsByState(flow: Flow): ReadonlyMap<string, readonly TextKey[]> {
  const open = Object.entries(flow.screens).filter(([, { kind }]) => kind !== 'closing');
  const everywhere = [engineTexts.wrongChoice, ...(flow.interrupted === undefined ? [] : [flow.interrupted])];
  const reasons = new Map(open.map(([state]) => [state, new Set<TextKey>(everywhere)]));
  for (const [from, screen] of open) {
    for (const { to = from, reason } of landingsOf(screen)) if (reason !== undefined) reasons.get(to)?.add(reason);
  }
  for (const reason of dialReasons(flow)) reasons.get(flow.start)?.add(reason);
  return new Map([...reasons].map(([state, reasonKeys]) => [state, [...reasonKeys]]));
}

/** Results of effects shown on the first screen after the caller dials again. */
function dialReasons(flow: Flow): TextKey[] {
  return Object.values(flow.screens)
    .flatMap(effectsOf)
    .filter(({ effect }) => flow.operations?.[effect]?.kind === 'act')
    .flatMap(({ results }) => Object.values(results).flatMap(({ reason }) => reason ?? []));
}
