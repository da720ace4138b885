import { callerFactsAtMost, isByNetwork } from './caller-facts.js';
import { neededOn } from './facts.js';
import {
  type Choices,
  type ClosingScreen,
  type EntryScreen,
  engineKeys,
  engineTexts,
  type Facts,
  type Flow,
  type MenuScreen,
  type Option,
} from './flow.js';
import { pageLimits } from './pages/message-limits.js';
import { type Page, type PageRules, paginate, printPage } from './pages/paginate.js';
import type { Position } from './position.js';
import { itemsOn, listOn } from './screen-options.js';
import { renderLines, renderText, type Wording } from './texts.js';

/** Content of the handset display. */
export interface Shown {
  readonly message: string;
  /** Whether this screen closes the session. */
  readonly closes: boolean;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** Page of the screen without its notice that this page shows, wholly or in part. */
  readonly screenPage: number;
}

/** Renders the page of a position. Pure: the same position gives the same text. */
export function show(flow: Flow, position: Position, facts: Facts): Shown {
  const pages = printablePages(flow, position, facts);
  const print = pages[Math.min(position.page, pages.length - 1)] ?? noPage();
  return print();
}

/** Renders all pages of the screen of a position. */
export function showAll(flow: Flow, position: Position, facts: Facts): Shown[] {
  return printablePages(flow, position, facts).map((print) => print());
}

function printablePages(flow: Flow, position: Position, facts: Facts): readonly (() => Shown)[] {
  const screen = flow.screens[position.state];
  if (screen === undefined) throw new Error(`flow ${flow.id} has no screen "${position.state}"`);
  const wording: Wording = { flow, language: position.language, facts: { ...facts, ...position.entries } };
  return screen.kind === 'closing'
    ? [() => showClosing(screen, position, wording)]
    : menuPages(screen, position, wording);
}

/** A closing screen is one message, checked by `checkFit`: its pages cannot be turned. */
function showClosing(screen: ClosingScreen, position: Position, wording: Wording): Shown {
  const message = screen.lines.flatMap((line) => renderLines(line, position.choices, wording)).join('\n');
  return { message, closes: true, hasMore: false, hasPrevious: false, screenPage: 0 };
}

function menuPages(screen: MenuScreen | EntryScreen, position: Position, wording: Wording) {
  const body = [
    ...screen.lines.flatMap((line) => renderLines(line, position.choices, wording)),
    ...screen.options.flatMap((option) => printOption(option, wording)),
    ...printItems(screen, position, wording),
  ];
  const rules: PageRules = {
    limits: pageLimits,
    turners: {
      more: `${engineKeys.more}. ${renderText(engineTexts.more, wording)}`,
      previous: `${engineKeys.previous}. ${renderText(engineTexts.previous, wording)}`,
    },
    navigation: screen.navigation.flatMap((option) => printOption(option, wording)),
  };
  const pages = pagesWithNotice(
    body,
    rules,
    position.notice && {
      lines: renderText(position.notice.text, {
        ...wording,
        facts: { ...wording.facts, ...position.notice.facts },
      }).split('\n'),
      page: position.notice.page,
    },
  );
  return pages.map(({ page, screenPage }) => (): Shown => {
    const { hasMore, hasPrevious } = page;
    return { message: printPage(page, rules), closes: false, hasMore, hasPrevious, screenPage };
  });
}

/**
 * Pages of a screen. With a notice, its page begins with the notice and is divided again if it no longer fits. All
 * other pages stay unchanged, so that turning pages neither skips nor repeats a line.
 */
function pagesWithNotice(
  body: readonly string[],
  rules: PageRules,
  notice: { lines: readonly string[]; page: number } | undefined,
): { page: Page; screenPage: number }[] {
  const pages = paginate(body, rules).map((page, screenPage) => ({ page, screenPage }));
  if (notice === undefined) return pages;
  const screenPage = Math.min(notice.page, pages.length - 1);
  const { page } = pages[screenPage] ?? noPage();
  const continues = { before: page.hasPrevious, after: page.hasMore };
  const noticed = paginate([...notice.lines, ...page.lines], { ...rules, continues });
  return pages.toSpliced(screenPage, 1, ...noticed.map((part) => ({ page: part, screenPage })));
}

function printOption(option: Option, wording: Wording): string[] {
  return option.label === undefined ? [] : [`${option.key}. ${renderText(option.label, wording)}`];
}

/** The value of an item is printed unchanged: braces in it name no fact. */
function printItems(screen: MenuScreen | EntryScreen, position: Position, wording: Wording): string[] {
  const label = listOn(screen)?.label ?? '';
  return itemsOn(screen, position).map(
    (item, index) => `${index + 1}. ${renderText(label, { ...wording, facts: { ...wording.facts, ...item } })}`,
  );
}

function noPage(): never {
  throw new Error('a screen has at least one page');
}

/**
 * Renders screens as `show` does, and caches those that are the same for all callers: one per page of the flow. Without
 * it a menu hop costs about 4 µs more of 60 µs CPU (`npm run bench -- hop`).
 *
 * @param shared facts equal in all sessions.
 */
export function cachedScreens(shared: Facts): typeof show {
  const known = new WeakMap<Flow, ReadonlyMap<string, Map<string, Shown>>>();
  return (flow, position, facts) => {
    const { state, language, page, choices, notice } = position;
    const plain = known.get(flow) ?? plainScreens(flow, shared);
    known.set(flow, plain);
    const pages = notice === undefined ? plain.get(state) : undefined;
    if (pages === undefined) return show(flow, position, facts);
    const name = `${language} ${page} ${choicesKey(choices)}`;
    const shown = pages.get(name) ?? show(flow, position, facts);
    pages.set(name, shown);
    return shown;
  };
}

/** Most sessions have no choices. */
function choicesKey(choices: Choices): string {
  for (const _ in choices) return JSON.stringify(choices);
  return '';
}

/** Pages of each screen without facts of a subscriber. */
function plainScreens(flow: Flow, shared: Facts) {
  const isPlain = (name: string) => Object.hasOwn(shared, name) && !Object.hasOwn(callerFactsAtMost, name);
  const plain = Object.entries(flow.screens).filter(
    ([, screen]) => neededOn(flow, screen).every(isPlain) && !screen.lines.some(isByNetwork),
  );
  return new Map(plain.map(([state]) => [state, new Map<string, Shown>()]));
}
