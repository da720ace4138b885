import { byName } from '../engine/flow.js';
import type { Answer, Exchange, Transcript } from './transcript.js';

/** An answer, and its line from 1. */
export interface WrittenAnswer extends Answer {
  readonly line: number;
}

/** An exchange as it is written down. */
export interface WrittenExchange extends Exchange {
  readonly line: number;
  /** Whether it is a dial: the first one always is. */
  readonly dials: boolean;
  readonly answers: readonly WrittenAnswer[];
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

/** @throws {Error} naming the line that is neither title, dial, input, answer, END, screen nor SMS. */
export function readTranscript(text: string): WrittenTranscript {
  let title = '';
  const read: Reading[] = [];
  for (const [index, words] of text.split('\n').entries()) {
    const line = index + 1;
    const last = read.at(-1);
    const begun = beginExchange(words, line, last === undefined);
    if (begun !== undefined) read.push(begun);
    else if (last === undefined && words.startsWith('# ')) title = words.slice(2);
    else if (words.trim() !== '' && !(last && goOn(last, words, line))) {
      throw new Error(`line ${line} of the transcript is out of place: ${words}`);
    }
  }
  if (read.length === 0) throw new Error('the transcript has no dial');
  const exchanges = read.map(({ lines, sms, ...exchange }) => ({
    ...exchange,
    message: lines.join('\n'),
    ...(sms.length > 0 && { sms: sms.join('\n') }),
  }));
  return { title, exchanges };
}

function beginExchange(words: string, line: number, isFirst: boolean): Reading | undefined {
  const form = isFirst ? /^dial (.*)$/ : /^(?:dial (.*)|> ?(.*))$/;
  const [, dialled, typed = dialled] = form.exec(words) ?? [];
  return typed === undefined
    ? undefined
    : { line, typed, dials: dialled !== undefined, answers: [], lines: [], sms: [], closes: false };
}

/** False for a line that is no part of this exchange. */
function goOn(exchange: Reading, words: string, line: number): boolean {
  const { lines, answers, sms, closes } = exchange;
  if (words.startsWith('sms |')) return sms.push(words.slice('sms | '.length)) > 0;
  if (words.startsWith('|')) return sms.length === 0 && lines.push(words.slice(2)) > 0;
  if (lines.length > 0 || closes) return false;
  const answer = readAnswer(words, line);
  if (answer !== undefined) return answers.push(answer) > 0;
  exchange.closes = words === 'END';
  return exchange.closes;
}

const factForm = /(\w+)=(?:"([^"]*)"|(\S+))/g;

function readAnswer(words: string, line: number): WrittenAnswer | undefined {
  const [, operation, result, facts = ''] = /^! ?(\S+) (?:→|->) (\S+)((?: \w+=(?:"[^"]*"|\S+))*)$/.exec(words) ?? [];
  if (operation === undefined || result === undefined) return undefined;
  const told = [...facts.matchAll(factForm)].map(
    ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''] as const,
  );
  return { line, operation, result, facts: byName(told) };
}
