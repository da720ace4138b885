import type { Random } from '@mlango/test-services/random';
import type { DeclaredList } from '../../src/engine/declarations.js';
import type { Flow, MenuScreen, Query } from '../../src/engine/flow.js';
import type { Served } from './pay-world.js';

const bills: DeclaredList = {
  name: 'bills',
  most: 9,
  fields: {
    name: { kind: 'text', chars: 20 },
    amount: { kind: 'amount', chars: 9 },
    reference: { kind: 'id', chars: 12 },
  },
};

const findBills: Query = {
  kind: 'query',
  results: { found: {}, empty: {}, unanswered: {} },
  lists: { found: bills },
  run: () => Promise.reject(new Error('only the test answers this query')),
};

const menu = (screen: Partial<MenuScreen>): MenuScreen => ({
  kind: 'menu',
  lines: [],
  options: [],
  navigation: [],
  ...screen,
});
const leave = { key: '*', label: 'leave', to: 'bye' } as const;

/** Lists bills on two pages or more, and pays the chosen one. */
export const billFlow: Flow = {
  id: 'bills',
  version: 1,
  start: 'menu',
  exit: 'bye',
  working: 'working',
  resumeOffer: 'offer',
  screens: {
    menu: menu({
      lines: ['menu'],
      options: [
        {
          key: '1',
          label: 'list',
          effect: 'findBills',
          results: { found: { to: 'bills' }, empty: { reason: 'none' }, unanswered: { reason: 'failed' } },
        },
      ],
      navigation: [leave],
    }),
    bills: menu({
      lines: ['which'],
      list: { from: 'bills', label: 'bill', to: 'confirm' },
      navigation: [{ key: '0', label: 'back', to: 'menu' }],
      carries: ['bills'],
    }),
    confirm: menu({
      lines: ['confirm'],
      options: [
        {
          key: '1',
          label: 'pay',
          effect: 'pay',
          results: { paid: { to: 'receipt' }, refused: { to: 'menu', reason: 'refused' } },
        },
      ],
      navigation: [{ key: '0', label: 'back', to: 'bills' }],
      carries: ['bills', 'name', 'amount', 'reference'],
    }),
    working: menu({
      lines: ['working'],
      options: [{ key: '1', label: 'checkAgain', looksAgain: true }],
      navigation: [{ key: '0', label: 'back', to: 'menu' }],
    }),
    offer: menu({
      lines: ['interrupted'],
      options: [
        { key: '1', label: 'continue', resumes: true },
        { key: '2', label: 'startOver', to: 'menu' },
      ],
      navigation: [leave],
    }),
    receipt: { kind: 'closing', lines: ['receipt'], carries: ['name', 'amount'] },
    bye: { kind: 'closing', lines: ['bye'] },
  },
  texts: {
    en: {
      menu: 'Soko',
      list: 'Pay a bill',
      leave: 'Leave',
      back: 'Back',
      pay: 'Pay',
      bye: 'Bye',
      which: 'Which bill?',
      bill: '{name} {amount}',
      confirm: 'You pay {amount} for {name}. Reference {reference}',
      none: 'You have no bills.',
      failed: 'There is no answer.',
      refused: 'It was refused.',
      working: 'We are working on it.',
      checkAgain: 'Check again',
      interrupted: 'Your last call was interrupted.',
      continue: 'Continue',
      startOver: 'Start over',
      receipt: 'Paid {amount} for {name}',
      wrongChoice: 'Invalid choice.',
      more: 'More',
      previous: 'Previous',
    },
  },
  defaultLanguage: 'en',
  operations: {
    findBills,
    pay: { kind: 'act', takes: ['amount', 'reference'], results: { paid: {}, refused: {} } },
  },
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A back end with different bills for every query, in number, order, names and amounts. */
export function otherBillsEachTime(random: Random): Served {
  let questions = 0;
  const query: Served['query'] = (die) => async () => {
    const question = ++questions;
    await wait(random.pick([0, 0, 20, 900]));
    if (random.chance(0.1)) {
      die();
      return new Promise<never>(() => {});
    }
    if (random.chance(0.1)) return { result: 'unanswered' };
    const items = Array.from({ length: random.between(0, 9) }, (_, index) => ({
      name: `Bill ${question} of house ${index + 1}`,
      amount: `${random.between(10, 9999)}.${index}${question % 10}`,
      reference: `R-${question}-${index + 1}`,
    }));
    return items.length === 0 ? { result: 'empty' } : { result: 'found', lists: { bills: items } };
  };
  return { flow: billFlow, query };
}
