import { withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { byName } from '../engine/flow.js';
import type { Answer, Exchange, Transcript } from './transcript.js';

/** An answer, and its line, from 1. */
export interface WrittenAnswer extends Answer {
  readonly line: number;
  readonly lists: Record<string, Answer['facts'][]>;
}

/** An exchange, as written. */
export interface WrittenExchange extends Exchange {
  readonly line: number;
  /** Whether it is a dial; the first one always is. */
  readonly dials: boolean;
  readonly answers: readonly WrittenAnswer[];
  readonly atMs?: number | undefined;
}

export interface WrittenTranscript extends Transcript {
  readonly exchanges: readonly WrittenExchange[];
}

interface Reading extends Omit<WrittenExchange, 'message' | 'closes' | 'answers' | 'sms'> {
  readonly lines: string[];
  readonly sms: string[];
  readonly answers: WrittenAnswer[];
  closes: boolean;
}

/** A line of a transcript that cannot be read. */
export class TranscriptError extends Error {
  /** From 1. */
  readonly line: number;
  /** The text of the line. */
  readonly words: string;

  constructor(line: number, words: string, reason: string) {
    super(reason);
    this.name = 'TranscriptError';
    this.line = line;
    this.words = words;
  }
}

const forms =
  'a line is "# title", "at 2026-01-05T21:00+03:00", "dial *384#", "> input", "! operation → result fact=value", "! list[1] field=value", "END", "| screen" or "sms | text"';

/**
 * Reads a transcript, with any line endings.
 *
 * @throws {TranscriptError} for a line that is neither title, dial, input, answer, END, screen nor SMS, or ends with blanks.
 */
export function readTranscript(text: string): WrittenTranscript {
  let title = '';
  const read: Reading[] = [];
  let atMs: number | undefined;
  for (const [index, words] of withoutByteOrderMark(text)
    .split(/\r\n?|\n/)
    .entries()) {
    const line = index + 1;
    const last = read.at(-1);
    // Empty lines of a screen and empty inputs may end with the blank after their sign.
    if (/\s$/.test(words) && !/^(?:(?:sms )?\||>)? ?$/.test(words))
      throw new TranscriptError(line, words.trimEnd(), 'this line ends with blanks: remove them');
    const begun = beginExchange(words, line, last === undefined);
    const [, time] = /^at (.*)$/.exec(words) ?? [];
    if (time !== undefined) atMs = readTime(time, line, words);
    else if (begun !== undefined) read.push({ ...begun, atMs });
    else if (last === undefined && words.startsWith('# ')) title = words.slice(2);
    else if (words.trim() !== '' && !(last && goOn(last, words, line))) {
      throw new TranscriptError(line, words, `this line is out of place: ${forms}, in this order`);
    }
  }
  if (read.length === 0)
    throw new TranscriptError(1, '', 'there is no dial: a transcript begins with a line such as dial *384#');
  const exchanges = read.map(({ lines, sms, ...exchange }) => ({
    ...exchange,
    message: lines.join('\n'),
    ...(sms.length > 0 && { sms: sms.join('\n') }),
  }));
  return { title, exchanges };
}

/** A time with its offset from UTC, such as `2026-01-05T21:00+03:00`. */
function readTime(time: string, line: number, words: string): number {
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(time)
    ? Date.parse(time)
    : Number.NaN;
  if (Number.isNaN(atMs))
    throw new TranscriptError(
      line,
      words,
      'this is no time: write it with its offset, such as at 2026-01-05T21:00+03:00',
    );
  return atMs;
}

function beginExchange(words: string, line: number, isFirst: boolean): Reading | undefined {
  const form = isFirst ? /^dial (.*)$/ : /^(?:dial (.*)|> ?(.*))$/;
  const [, dialled, typed = dialled] = form.exec(words) ?? [];
  return typed === undefined
    ? undefined
    : { line, typed, dials: dialled !== undefined, answers: [], lines: [], sms: [], closes: false };
}

/** False for a line that does not belong to this exchange. */
function goOn(exchange: Reading, words: string, line: number): boolean {
  const { lines, answers, sms, closes } = exchange;
  if (words.startsWith('sms |')) return sms.push(words.slice('sms | '.length)) > 0;
  if (words.startsWith('|')) return sms.length === 0 && lines.push(words.slice(2)) > 0;
  if (lines.length > 0 || closes) return false;
  const answer = readAnswer(words, line);
  if (answer !== undefined) return answers.push(answer) > 0;
  if (words.startsWith('!')) return addItem(answers.at(-1), words);
  exchange.closes = words === 'END';
  return exchange.closes;
}

/** False for a line that is not the next item of a list. */
function addItem(answer: WrittenAnswer | undefined, words: string): boolean {
  const [, list = '', number, fields = ''] = /^! ?(\w+)\[(\d+)\]((?: \w+=(?:"[^"]*"|\S+))*)$/.exec(words) ?? [];
  const known = answer !== undefined && Object.hasOwn(answer.lists, list) ? (answer.lists[list] ?? []) : [];
  if (answer === undefined || Number(number) !== known.length + 1) return false;
  answer.lists[list] = [...known, readFacts(fields)];
  return true;
}

const factForm = /(\w+)=(?:"([^"]*)"|(\S+))/g;

function readAnswer(words: string, line: number): WrittenAnswer | undefined {
  const [, operation, result, facts = ''] = /^! ?(\S+) (?:→|->) (\S+)((?: \w+=(?:"[^"]*"|\S+))*)$/.exec(words) ?? [];
  if (operation === undefined || result === undefined) return undefined;
  return { line, operation, result, facts: readFacts(facts), lists: Object.create(null) };
}

function readFacts(written: string): Answer['facts'] {
  const facts = [...written.matchAll(factForm)].map(
    ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''] as const,
  );
  return byName(facts);
}
