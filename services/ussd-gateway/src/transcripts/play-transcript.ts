import { callerFacts } from '../engine/caller-facts.js';
import type { Facts, Flow } from '../engine/flow.js';
import { PaperGateway, UnplayableError } from './paper-gateway.js';
import { Placeholders } from './placeholders.js';
import { readTranscript } from './read-transcript.js';
import type { Shown } from './transcript.js';

/** PINs that are taken, for the placeholders that stand for some. */
export const playedPins = { 'PIN 1': '48291', 'PIN 2': '73506', 'PIN 3': '19384', 'PIN 4': '60715' };

/** The phone that transcripts are played on, for screens that show its number. */
export const playedPhone = '+260971230567';

/** How a transcript was played: to its end, or to the first line that does not go as it is written. */
export type Played =
  | { readonly title: string; readonly screens: number; readonly failed?: never }
  | { readonly title: string; readonly failed: Failed };

export interface Failed {
  /** Of the input, from 1. */
  readonly line: number;
  readonly typed: string;
  /** What keeps it from being played; else the two differ. */
  readonly says?: string;
  readonly expected?: string;
  readonly got?: string;
}

/** Plays a transcript on the engine, with the answers that are written in it. @throws {TranscriptError} for a text that is none. */
export function playTranscript(text: string, flow: Flow, facts: Facts): Played {
  const { title, exchanges } = readTranscript(text);
  const stranger = exchanges
    .flatMap(({ answers }) => answers)
    .find(({ operation }) => flow.operations?.[operation] === undefined);
  if (stranger !== undefined) {
    const known = Object.keys(flow.operations ?? {}).join(', ') || 'none';
    const says = `"${stranger.operation}" is no operation of this flow, which has ${known}`;
    return { title, failed: { line: stranger.line, typed: `! ${stranger.operation}`, says } };
  }
  const gateway = new PaperGateway(flow, { ...callerFacts(playedPhone), ...facts });
  const known = new Placeholders(playedPins);
  for (const { line, typed, dials, answers, ...written } of exchanges) {
    try {
      const shown = dials ? gateway.dial(answers) : gateway.type(known.fill(typed), answers);
      const [expected, got] = [known.expect(printed(written), printed(shown)), printed(shown)];
      if (expected !== got) return { title, failed: { line, typed, expected, got } };
    } catch (error) {
      if (!(error instanceof UnplayableError)) throw error;
      return { title, failed: { line, typed, says: error.message } };
    }
  }
  return { title, screens: exchanges.length };
}

/** Blanks at the end of a line are nowhere to be seen, and transcripts have none. */
function printed({ message, closes, sms }: Shown): string {
  const lines = [...(closes ? ['END'] : []), message, ...(sms === undefined ? [] : ['SMS:', sms])].join('\n');
  return lines.replaceAll(/[^\S\n]+$/gm, '');
}
