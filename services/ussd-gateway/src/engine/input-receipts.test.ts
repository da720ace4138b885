import { describe, expect, it } from 'vitest';
import { applyInput } from './apply-input.js';
import { applyOutcome } from './apply-outcome.js';
import { checkFlow } from './check/check-flow.fixture.js';
import type { ClosingScreen, Flow } from './flow.js';
import { startOf } from './position.js';
import { show } from './show.js';

const amount = { refusals: [], read: (typed: string) => ({ value: typed }) };
const receipt: ClosingScreen = { kind: 'closing', lines: ['paid'], carries: ['amount', 'reference'] };
const facts = { appName: 'Soko' };

/** Pays an amount, and closes with a receipt. */
function paying(change: Partial<ClosingScreen> = {}, texts: Record<string, string> = {}): Flow {
  return {
    id: 'paying',
    version: 1,
    start: 'menu',
    exit: 'bye',
    screens: {
      menu: { kind: 'menu', lines: ['ask'], options: [{ key: '1', label: 'ask', to: 'amount' }], navigation: [] },
      amount: {
        kind: 'entry',
        lines: ['ask'],
        options: [],
        navigation: [{ key: '*', label: 'leave', to: 'bye' }],
        entry: {
          name: 'amount',
          secret: false,
          rule: amount,
          longest: ['9'.repeat(12)],
          refusals: {},
          next: { effect: 'pay', results: { paid: { to: 'receipt' } } },
        },
      },
      receipt: { ...receipt, ...change },
      working: {
        kind: 'menu',
        lines: ['ask'],
        options: [{ key: '1', label: 'ask', looksAgain: true }],
        navigation: [{ key: '0', to: 'menu' }],
      },
      bye: { kind: 'closing', lines: ['bye'] },
    },
    texts: {
      en: {
        ask: 'How much?',
        leave: 'Leave',
        paid: 'Paid {amount} to {appName}.\nReference {reference}',
        bye: 'Bye',
        wrongChoice: 'No',
        more: 'More',
        previous: 'Previous',
        ...texts,
      },
    },
    defaultLanguage: 'en',
    operations: { pay: { kind: 'act', results: { paid: { reference: ['R'.repeat(20)] } } } },
    working: 'working',
  };
}

describe('a closing screen', () => {
  it('prints typed values, facts of the service and facts of an effect', () => {
    const flow = paying();
    expect(checkFlow(flow, facts)).toEqual([]);
    const taken = applyInput(flow, { ...startOf(flow), state: 'amount' }, '250', { facts, arrivedAtMs: 0 });
    if (taken.kind !== 'effect') throw new Error('an amount is paid');
    const outcome = { result: 'paid', facts: { reference: 'R-17', balance: '40' } };
    const position = applyOutcome(flow, taken, outcome, { facts, arrivedAtMs: 0 });
    if (position === undefined) throw new Error('paid leads on');
    expect(show(flow, position, facts)).toMatchObject({ message: 'Paid 250 to Soko.\nReference R-17', closes: true });
    // Only printed values are stored.
    expect(position.entries).toEqual({ amount: '250', reference: 'R-17' });
  });

  it.each([
    [
      'keeps no fact that it prints',
      paying({ carries: [] }),
      'amount: leads to "receipt", which prints "amount", without it',
    ],
    [
      'is too long with the longest values',
      paying({}, { paid: `Paid {amount} {reference}${'.'.repeat(160)}` }),
      'receipt: in en, a closing message must fit one page',
    ],
    [
      'is the exit screen',
      paying({}, { bye: 'Bye, {amount}' }),
      'bye: a caller who leaves by * may not have the fact "amount"',
    ],
  ])('is refused at start if it %s', (_, flow, problem) => {
    expect(checkFlow(flow, facts).join('\n')).toContain(problem);
  });
});
