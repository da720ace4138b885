import type { Flow } from '../../src/engine/flow.js';

/** Pays an amount, an act that must never happen twice. */
export const payFlow: Flow = {
  id: 'pay',
  version: 1,
  start: 'menu',
  exit: 'bye',
  working: 'working',
  screens: {
    menu: {
      kind: 'menu',
      lines: ['menu'],
      options: [{ key: '1', label: 'pay', to: 'amount' }],
      navigation: [{ key: '*', label: 'leave', to: 'bye' }],
    },
    amount: {
      kind: 'entry',
      lines: ['amount'],
      options: [],
      navigation: [{ key: '0', label: 'back', to: 'menu' }],
      entry: {
        name: 'amount',
        secret: false,
        rule: {
          refusals: ['form'],
          read: (typed) => (/^[0-9]+$/.test(typed) ? { value: typed } : { refusal: 'form' }),
        },
        longest: ['9'.repeat(12)],
        refusals: { form: { reason: 'wrongAmount' } },
        next: {
          effect: 'pay',
          results: { paid: { to: 'receipt' }, refused: { to: 'menu', reason: 'refused' } },
        },
      },
    },
    working: {
      kind: 'menu',
      lines: ['working'],
      options: [{ key: '1', label: 'checkAgain', looksAgain: true }],
      navigation: [{ key: '0', label: 'back', to: 'menu' }],
    },
    receipt: { kind: 'closing', lines: ['receipt'], carries: ['amount', 'reference'] },
    bye: { kind: 'closing', lines: ['bye'] },
  },
  texts: {
    en: {
      menu: 'Soko',
      pay: 'Pay',
      leave: 'Leave',
      amount: 'How much?',
      back: 'Back',
      working: 'We are working on it.',
      checkAgain: 'Check again',
      refused: 'It was refused.',
      receipt: 'Paid {amount}. Reference {reference}',
      bye: 'Bye',
      wrongAmount: 'Invalid amount.',
      wrongChoice: 'Invalid choice.',
      more: 'More',
      previous: 'Previous',
    },
  },
  defaultLanguage: 'en',
  operations: { pay: { kind: 'act', results: { paid: { reference: ['R'.repeat(20)] }, refused: {} } } },
};
