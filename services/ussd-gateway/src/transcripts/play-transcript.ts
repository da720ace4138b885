import { callerFacts } from '../engine/caller-facts.js';
import type { Facts, Flow } from '../engine/flow.js';
import { EngineHandset, UnplayableError } from './engine-handset.js';
import { readTranscript } from './read-transcript.js';
import type { Shown } from './transcript.js';

/** The PINs for the placeholders. */
export const playedPins = { 'PIN 1': '48291', 'PIN 2': '73506', 'PIN 3': '19384', 'PIN 4': '60715' };

/** The phone of played transcripts, for screens that show its number. */
export const playedPhone = '+260971230567';

/** Result of a transcript: played to its end, or the first line that differs. */
export type Played =
  | { readonly title: string; readonly screens: number; readonly failed?: never }
  | { readonly title: string; readonly failed: Failed };

export interface Failed {
  /** The line of the input, from 1. */
  readonly line: number;
  readonly typed: string;
  /** Why it cannot be played; otherwise the two texts differ. */
  readonly reason?: string;
  readonly expected?: string;
  readonly got?: string;
}

/**
 * Plays a transcript on the engine, with its own answers. @throws {TranscriptError} for an invalid text.
 */
export function playTranscript(text: string, flow: Flow, facts: Facts): Played {
  const { title, exchanges } = readTranscript(text);
  const unknown = exchanges
    .flatMap(({ answers }) => answers)
    .find(({ operation }) => flow.operations?.[operation] === undefined);
  if (unknown !== undefined) {
    const known = Object.keys(flow.operations ?? {}).join(', ') || 'none';
    const reason = `"${unknown.operation}" is no operation of this flow, which has ${known}`;
    return { title, failed: { line: unknown.line, typed: `! ${unknown.operation}`, reason } };
  }
  const handset = new EngineHandset(flow, { ...callerFacts(playedPhone), ...facts });
  const known = new Placeholders(playedPins);
  for (const { line, typed, dials, answers, atMs, ...written } of exchanges) {
    try {
      if (atMs !== undefined) handset.setTime(atMs);
      const shown = dials ? handset.dial(answers) : handset.type(known.fill(typed), answers);
      const [expected, got] = [known.expect(printed(written), printed(shown)), printed(shown)];
      if (expected !== got) return { title, failed: { line, typed, expected, got } };
    } catch (error) {
      if (!(error instanceof UnplayableError)) throw error;
      return { title, failed: { line, typed, reason: error.message } };
    }
  }
  return { title, screens: exchanges.length };
}

/** Without blanks at the ends of lines, which transcripts do not have. */
function printed({ message, closes, sms }: Shown): string {
  const lines = [...(closes ? ['END'] : []), message, ...(sms === undefined ? [] : ['SMS:', sms])].join('\n');
  return lines.replaceAll(/[^\S\n]+$/gm, '');
}

/** Values of placeholders such as `{Customer ID}` while a transcript is played. The first screen that shows a value defines it. */
export class Placeholders {
  readonly #values: Map<string, string>;

  constructor(known: Readonly<Record<string, string>>) {
    this.#values = new Map(Object.entries(known));
  }

  /**
   * Fills the placeholders of a text. @throws {UnplayableError} for a placeholder without a value.
   */
  fill(text: string): string {
    return text.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) => {
      const value = this.#values.get(name);
      if (value === undefined) throw new UnplayableError(`no screen has shown ${placeholder} yet`);
      return value;
    });
  }

  /** Learns unknown values from a screen; returns the expected text with all known values. */
  expect(expected: string, shown: string): string {
    const names = [...expected.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '');
    const pattern = expected
      .split(/\{[^{}]+\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('(\\S+)');
    const found = new RegExp(`^${pattern}$`).exec(shown)?.slice(1) ?? [];
    for (const [index, name] of names.entries()) {
      const value = found[index];
      if (value !== undefined && !this.#values.has(name)) this.#values.set(name, value);
    }
    return expected.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) => this.#values.get(name) ?? placeholder);
  }
}

/** The width of a column; longer lines are folded. */
const columnChars = 46;

/** Prints the result of a transcript for readers of screens. */
export function printPlayed(file: string, played: Played): string {
  if (played.failed === undefined) return `✓ ${file}: ${played.title} (${played.screens} screens)`;
  const { line, typed } = played.failed;
  return [`✗ ${file}: ${played.title}`, `  line ${line}, "${typed}":`, ...linesOf(played.failed)].join('\n');
}

function linesOf({ reason, expected = '', got = '' }: Failed): string[] {
  if (reason !== undefined) return [`    ${reason}`];
  const rows = sideBySide(expected.split('\n'), got.split('\n'));
  return [['written', '  ', 'shown'] as const, ...rows].map(([left, mark, right]) =>
    `    ${left.padEnd(columnChars)} ${mark} ${right}`.trimEnd(),
  );
}

function sideBySide(expected: readonly string[], got: readonly string[]): (readonly [string, string, string])[] {
  return Array.from({ length: Math.max(expected.length, got.length) }, (_, index) => {
    const [left, right] = [expected[index], got[index]];
    const mark = left === right ? '  ' : '≠ ';
    const [lefts, rights] = [folded(left ?? ''), folded(right ?? '')];
    return Array.from({ length: Math.max(lefts.length, rights.length) }, (__, row) => {
      return [lefts[row] ?? '', row === 0 ? mark : '  ', rights[row] ?? ''] as const;
    });
  }).flat();
}

function folded(line: string): string[] {
  const characters = [...line];
  const parts = Math.max(1, Math.ceil(characters.length / columnChars));
  return Array.from({ length: parts }, (_, part) =>
    characters.slice(part * columnChars, (part + 1) * columnChars).join(''),
  );
}
