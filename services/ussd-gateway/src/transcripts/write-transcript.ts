import type { UssdRecording, UssdWrittenTranscript } from '@mlango/schemas/ussd-simulator';
import { asciiDigits } from '../engine/ascii-digits.js';
import { callerFacts } from '../engine/caller-facts.js';
import type { Facts, Flow } from '../engine/flow.js';
import { EngineHandset } from './engine-handset.js';
import { findAnswers } from './find-answers.js';
import { playedPhone, playTranscript } from './play-transcript.js';
import { type Exchange, printTranscript } from './transcript.js';

/**
 * Writes a recorded session as a transcript for `ussd test`: without PINs, Customer IDs and the number of the phone, and with the
 * answers of back ends. Otherwise explains why not. Pure.
 */
export function writeTranscript(
  { title, phoneNumber, exchanges }: UssdRecording,
  flow: Flow,
  facts: Facts,
): UssdWrittenTranscript {
  const recorded = exchanges.map((one) => ({ ...one, message: one.message.replaceAll(phoneNumber, playedPhone) }));
  if (recorded[0]?.dials !== true) return { says: 'the recording does not begin with a dial' };
  const known = { ...callerFacts(playedPhone), ...facts };
  const found = findAnswers(recorded, flow, known);
  if (found.at !== undefined) return { says: `screen ${found.at + 1} cannot be played again: ${found.reason}` };
  const handset = new EngineHandset(flow, known);
  const answered = recorded.map((exchange, index) => {
    const answers = (found.answers[index] ?? []).map(({ facts: values, ...answer }) => ({
      ...answer,
      facts: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskCustomerIds(value)])),
    }));
    const { sms } = exchange.dials ? handset.dial(answers) : handset.type(exchange.typed, answers);
    return { ...exchange, answers, sms };
  });
  const text = printTranscript({ title, exchanges: maskSecrets(answered) });
  const { failed } = playTranscript(text, flow, facts);
  return failed === undefined
    ? { text }
    : { says: `line ${failed.line} of the transcript cannot be played: ${failed.reason ?? failed.got}` };
}

const customerId = /\bC[0-9A-Z]{8}\b/g;

/** A Customer ID that does not exist, for answers. */
function maskCustomerIds(text: string): string {
  return text.replaceAll(customerId, 'C7K2M9PQ4');
}

/**
 * Replaces secrets by placeholders: PINs by `{PIN 1}`, `{PIN 2}`, equal ones by the same, and Customer IDs by `{Customer ID}`. A PIN is
 * an input on a screen that requests one, unless it is a key of that screen.
 */
export function maskSecrets<Masked extends Exchange>(exchanges: readonly Masked[]): Masked[] {
  const pinInputs = exchanges.filter(({ typed }, index) => isPin(typed, exchanges[index - 1]?.message ?? ''));
  const pins = [...new Set(pinInputs.map(({ typed }) => asciiDigits(typed)))];
  return exchanges.map((exchange) => {
    const { typed, message } = exchange;
    const read = asciiDigits(typed);
    // Also if it was typed on another screen.
    const shown = pins.includes(read)
      ? `{PIN ${pins.indexOf(read) + 1}}`
      : /^C[0-9A-Z]{8}$/i.test(read)
        ? '{Customer ID}'
        : typed;
    return { ...exchange, typed: shown, message: message.replaceAll(customerId, '{Customer ID}') };
  });
}

/** Whether an input on a screen is a PIN, right or wrong. A single character is an invalid option. */
function isPin(typed: string, screen: string): boolean {
  const lines = screen.split('\n').map((line) => ({ line, key: /^(\S{1,3})\. /.exec(line)?.[1] }));
  const isPinScreen = lines.some(({ line, key }) => key === undefined && /\bPIN\b/i.test(line));
  return isPinScreen && typed.length > 1 && !lines.some(({ key }) => key === asciiDigits(typed));
}
