import { fitsMessage, type MessageLimits } from './message-limits.js';

/** A line up to this length is an entry or a title, and moves to the next page whole. */
const shortLineChars = 40;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Printed lines of the keys that turn pages. */
export interface PageTurners {
  readonly more: string;
  readonly previous: string;
}

export interface PageRules {
  readonly limits: MessageLimits;
  readonly turners: PageTurners;
  /** Printed at the foot of every page, whole. */
  readonly navigation: readonly string[];
  /** Whether there are pages before the first and after the last of these. */
  readonly continues?: { readonly before: boolean; readonly after: boolean };
}

/** Body lines of one page, and the turners in its foot. */
export interface Page {
  readonly lines: readonly string[];
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
}

/**
 * Divides lines over as few pages as in-order packing needs. Short lines stay whole; a long one may break between
 * words, and inside a word that does not fit on a page.
 *
 * @throws {RangeError} if the foot of a page leaves no room for a single character.
 */
export function paginate(body: readonly string[], rules: PageRules): Page[] {
  const { before = false, after = false } = rules.continues ?? {};
  const pages: Page[] = [];
  let rest = body.map((line) => line.trimEnd());
  do {
    const hasPrevious = before || pages.length > 0;
    const last: Page = { lines: rest, hasMore: after, hasPrevious };
    if (fitsMessage(printPage(last, rules), rules.limits)) return [...pages, last];
    const fits = (lines: readonly string[]) =>
      fitsMessage(printPage({ lines, hasMore: true, hasPrevious }, rules), rules.limits);
    const taken = fillPage(rest, fits, rules.limits);
    pages.push({ lines: taken.lines, hasMore: true, hasPrevious });
    rest = taken.rest;
  } while (rest.length > 0);
  // Only if pages follow these: the page that took the last line has `more` in any case.
  return pages;
}

/** Text of a page as shown on the handset. */
export function printPage(page: Page, rules: Pick<PageRules, 'turners' | 'navigation'>): string {
  const lines = [...page.lines];
  if (page.hasMore) lines.push(rules.turners.more);
  if (page.hasPrevious) lines.push(rules.turners.previous);
  return [...lines, ...rules.navigation].join('\n');
}

function fillPage(body: readonly string[], fits: (lines: readonly string[]) => boolean, limits: MessageLimits) {
  const lines: string[] = [];
  let rest = [...body];
  for (let line = rest[0]; line !== undefined; line = rest[0]) {
    const others = rest.slice(1);
    if (fits([...lines, line])) {
      lines.push(line);
      rest = others;
      continue;
    }
    const part = takeLine(line, { alone: lines.length === 0, fits: (text) => fits([...lines, text]), limits });
    if (part === undefined) break;
    lines.push(part.taken);
    rest = [part.rest, ...others];
    break;
  }
  if (lines.length === 0) throw new RangeError('the foot of the page leaves no room for text');
  return { lines, rest };
}

/**
 * Takes the beginning of a line that does not fit whole. A short line is divided only if it is alone on its page, a
 * word only if no whole word fits on a page, a grapheme never.
 */
function takeLine(
  line: string,
  room: { alone: boolean; fits: (text: string) => boolean; limits: MessageLimits },
): { taken: string; rest: string } | undefined {
  if (!room.alone && line.length <= shortLineChars) return undefined;
  // No longer text fits: a character has one septet at least.
  const head = line.slice(0, room.limits.septets + 1);
  const part =
    longestPrefix(head.split(/(?<= )/), room.fits) ?? (room.alone ? dividedWord(head, room.fits) : undefined);
  return part === undefined ? undefined : { taken: part.trimEnd(), rest: line.slice(part.length).trimStart() };
}

function dividedWord(head: string, fits: (text: string) => boolean): string | undefined {
  const characters = Array.from(graphemes.segment(head), ({ segment }) => segment);
  // A grapheme may have more combining marks than a page holds; then its code points are divided.
  return longestPrefix(characters, fits) ?? longestPrefix([...head], fits);
}

/** Joins as many pieces as fit, found by bisection: after a prefix that does not fit, no longer one does. */
function longestPrefix(pieces: readonly string[], fits: (text: string) => boolean): string | undefined {
  const prefix = (count: number) => pieces.slice(0, count).join('');
  let count = 0;
  let tooMany = pieces.length + 1;
  while (tooMany - count > 1) {
    const middle = (count + tooMany) >> 1;
    // A space at the page's end is not printed.
    if (fits(prefix(middle).trimEnd())) count = middle;
    else tooMany = middle;
  }
  return count === 0 ? undefined : prefix(count);
}
