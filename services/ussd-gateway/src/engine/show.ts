import {
  type ClosingScreen,
  type EntryScreen,
  engineKeys,
  engineTexts,
  type Facts,
  type Flow,
  type MenuScreen,
  type Option,
} from './flow.js';
import { itemsOn, listOn } from './list.js';
import { pageLimits } from './message-limits.js';
import { type Page, type PageRules, paginate, printPage } from './paginate.js';
import type { Position } from './position.js';
import { sayLine, sayText, type Wording } from './texts.js';

/** What the handset shows. */
export interface Shown {
  readonly message: string;
  /** Whether this closes the session. */
  readonly closes: boolean;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** The page of the screen itself that this page shows, wholly or in part. */
  readonly screenPage: number;
}

/** Prints the page a position stands on. Pure: the same position gives the same text. */
export function show(flow: Flow, position: Position, facts: Facts): Shown {
  const screen = flow.screens[position.state];
  if (screen === undefined) throw new Error(`flow ${flow.id} has no screen "${position.state}"`);
  const wording: Wording = { flow, language: position.language, facts: { ...facts, ...position.entries } };
  return screen.kind === 'closing' ? showClosing(screen, position, wording) : showMenu(screen, position, wording);
}

/** A closing message is one message, which `checkFit` sees to: nobody can turn its pages. */
function showClosing(screen: ClosingScreen, position: Position, wording: Wording): Shown {
  const message = screen.lines.flatMap((line) => sayLine(line, position.choices, wording)).join('\n');
  return { message, closes: true, hasMore: false, hasPrevious: false, screenPage: 0 };
}

function showMenu(screen: MenuScreen | EntryScreen, position: Position, wording: Wording): Shown {
  const body = [
    ...screen.lines.flatMap((line) => sayLine(line, position.choices, wording)),
    ...screen.options.flatMap((option) => printOption(option, wording)),
    ...printItems(screen, position, wording),
  ];
  const rules: PageRules = {
    limits: pageLimits,
    turners: {
      more: `${engineKeys.more}. ${sayText(engineTexts.more, wording)}`,
      previous: `${engineKeys.previous}. ${sayText(engineTexts.previous, wording)}`,
    },
    navigation: screen.navigation.flatMap((option) => printOption(option, wording)),
  };
  const pages = pagesWithNotice(
    body,
    rules,
    position.notice && {
      lines: sayText(position.notice.text, {
        ...wording,
        facts: { ...wording.facts, ...position.notice.facts },
      }).split('\n'),
      page: position.notice.page,
    },
  );
  const { page, screenPage } = pages[Math.min(position.page, pages.length - 1)] ?? noPage();
  const { hasMore, hasPrevious } = page;
  return { message: printPage(page, rules), closes: false, hasMore, hasPrevious, screenPage };
}

/**
 * The pages of a screen; with a notice, the page it belongs to begins with it, and is divided once more if it then
 * no longer fits. All other pages stay as they were, so that turning pages neither skips nor repeats anything.
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
  return option.label === undefined ? [] : [`${option.key}. ${sayText(option.label, wording)}`];
}

/** A value of an item is printed unchanged: braces in it name no fact. */
function printItems(screen: MenuScreen | EntryScreen, position: Position, wording: Wording): string[] {
  const label = listOn(screen)?.label ?? '';
  return itemsOn(screen, position).map(
    (item, index) => `${index + 1}. ${sayText(label, { ...wording, facts: { ...wording.facts, ...item } })}`,
  );
}

function noPage(): never {
  throw new Error('a screen has at least one page');
}
