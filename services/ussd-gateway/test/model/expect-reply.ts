import { expect } from 'vitest';
import { expectLegalReply, sizeOf } from '../support/legal-reply.js';
import { print } from './print.js';
import type { Expected, ExpectedScreen } from './session-model.js';

const more = '98. More';
const previous = '99. Previous';

/** Fails unless a reply is as the model expects. Learns the Customer ID from the first reply that shows it. */
export function expectReply(expected: Expected, reply: string, phone: string): void {
  expectLegalReply(reply);
  if (expected.kind === 'same') expect(reply).toBe(expected.reply);
  else if (expected.kind === 'expired') expect(reply).toBe('END Session expired. Please dial again.');
  else if (expected.kind === 'invalid') expect(reply).toBe('END Invalid input. Please try again.');
  else expectScreen(expected, reply, phone);
}

function expectScreen(expected: ExpectedScreen, reply: string, phone: string): void {
  const { place } = expected;
  if (place.at === 'accountCreated' && place.account.id === undefined) {
    place.account.id = /^Your Customer ID: (C[0-9A-Z]{8})$/m.exec(reply)?.[1];
    expect(place.account.id, reply).toBeDefined();
  }
  const { lines, foot } = print(place, phone);
  const shown = reply.slice('CON '.length).split('\n');
  if (expected.kind === 'page') {
    expectPage(shown, [expected.heading, ...lines], foot);
    return;
  }
  if (expected.reason !== undefined) expect(shown[0]).toMatch(expected.reason);
  const reason = expected.reason === undefined ? [] : shown.slice(0, 1);
  const whole = [...reason, ...lines, ...foot];
  if (!isOnePage(whole)) expectPage(shown, whole, foot);
  else expect(reply).toBe(`${place.at === 'closed' ? 'END' : 'CON'} ${whole.join('\n')}`);
}

function isOnePage(lines: readonly string[]): boolean {
  const { alphabet, units } = sizeOf(lines.join('\n'));
  return units <= (alphabet === 'gsm7' ? 160 : 70);
}

/** One page of a long screen: its whole foot, a way to the other pages, and only lines of the screen. */
function expectPage(shown: readonly string[], texts: readonly string[], foot: readonly string[]): void {
  expect(shown.slice(-foot.length)).toEqual(foot);
  const body = shown.slice(0, -foot.length);
  expect(body.includes(more) || body.includes(previous), body.join('\n')).toBe(true);
  const words = new Set(texts.join(' ').split(' '));
  const printed = body.filter((line) => line !== more && line !== previous).flatMap((line) => line.split(' '));
  expect(printed.filter((word) => !words.has(word))).toEqual([]);
}
