import { describe, expect, it } from 'vitest';
import { payFlow } from '../../../test/effects/pay-flow.js';
import type { Act, EntryScreen, Flow } from '../flow.js';
import { messagesOf } from '../texts.js';
import { checkFlow } from './check-flow.fixture.js';

const facts = { appName: 'Soko' };
const amount = payFlow.screens['amount'] as EntryScreen;
const next = {
  effect: 'pay',
  results: { paid: { to: 'receipt', message: 'sms' }, refused: { to: 'menu', reason: 'refused' } },
};

/** The payment flow, followed by a message. */
function sending(
  text: string,
  message: Partial<NonNullable<Act['message']>> = {},
  more: Partial<Flow['operations']> = {},
): Flow {
  const sms: Act = { kind: 'act', message: { text: 'sms', segments: 1, ...message }, results: { queued: {} } };
  return {
    ...payFlow,
    operations: { ...payFlow.operations, sms, ...more } as NonNullable<Flow['operations']>,
    screens: { ...payFlow.screens, amount: { ...amount, entry: { ...amount.entry, next } } },
    texts: Object.fromEntries(
      Object.entries(payFlow.texts).map(([language, texts]) => [language, { ...texts, sms: text }]),
    ),
  };
}

describe('a message after an act', () => {
  it('may name typed facts, facts of the outcome and facts of the service', () => {
    const flow = sending('{appName}: {amount}, {reference}, {phoneNumber}');
    expect(checkFlow(flow, facts)).toEqual([]);
    const text = '{appName}: {amount}, {reference}, {phoneNumber}';
    expect(messagesOf(flow, next, 'en', { ...facts, phoneNumber: '+1' })).toEqual({
      paid: { operation: 'sms', text, facts: { ...facts, phoneNumber: '+1' } },
    });
  });

  it.each([
    ['names an unknown fact', sending('{pin}'), '"sms" names the unknown fact "pin"'],
    [
      'is too long with the longest values',
      sending(`{amount}${'.'.repeat(160)}`),
      'operations.sms.segments: in en, it takes 2 SMS',
    ],
    [
      'needs an alphabet of fewer characters',
      sending(`ж${'.'.repeat(80)}`),
      'it takes 2 SMS with the longest values, and segments allows 1',
    ],
    ['has no text', sending('x', { text: 'nowhere' }), '"nowhere" is missing'],
    [
      'names a fact without a length, such as a grant',
      sending('{grant}', {}, { logIn: { kind: 'check', results: { right: { grant: [''] } } } }),
      'sends a message with "grant", which is not known on every way here',
    ],
  ])('is refused at start if it %s', (_what, flow, problem) => {
    expect(checkFlow(flow, facts).join('\n')).toContain(problem);
  });
});
