import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyInput, replay } from '../engine/apply-input.js';
import { checkFlow } from '../engine/check/check-flow.fixture.js';
import { fitsMessage, networkLimits } from '../engine/pages/message-limits.js';
import { type Position, startOf } from '../engine/position.js';
import { show } from '../engine/show.js';
import { defaultFlow } from './default-flow.fixture.js';

const facts = { appName: 'Mlango' };
const type = (...inputs: string[]): Position =>
  replay(defaultFlow, startOf(defaultFlow), inputs, { facts, arrivedAtMs: 0 });
const screen = (...inputs: string[]) => show(defaultFlow, type(...inputs), facts);

describe('the default flow', () => {
  it('is sound, also with the longest name', () => {
    expect(checkFlow(defaultFlow, facts)).toEqual([]);
    expect(checkFlow(defaultFlow, { appName: 'M'.repeat(40) })).toEqual([]);
    expect(checkFlow(defaultFlow, { appName: 'ç'.repeat(40) })).toEqual([]);
  });

  it.each(['en', 'sw', 'fr'])('shows each screen on one page in %s, with common values', (language) => {
    const values = {
      ...facts,
      phoneNumber: '+260971230567',
      name: 'Amina Otieno',
      shownName: 'Amina Otieno',
      email: 'amina@example.org',
      customerId: 'C7K2M9PQ4',
      customerIds: 'C7K2M9PQ4',
    };
    for (const [state, { kind }] of Object.entries(defaultFlow.screens)) {
      const position = { state, language, choices: { topic: 'about' }, page: 0 };
      expect({ state, ...show(defaultFlow, position, values) }).toMatchObject({
        hasMore: false,
        closes: kind === 'closing',
      });
    }
  });

  it('has the same texts in each language, all translated', () => {
    const { en, sw, fr } = defaultFlow.texts;
    expect(Object.keys(sw ?? {})).toEqual(Object.keys(en ?? {}));
    expect(Object.keys(fr ?? {})).toEqual(Object.keys(en ?? {}));
    const same = Object.entries(en ?? {}).filter(([key, text]) => text === sw?.[key] || text === fr?.[key]);
    expect(same.map(([key]) => key)).toEqual(expect.arrayContaining(['english', 'swahili', 'french']));
    expect(same.length).toBeLessThan(6);
  });

  it('prints the welcome menu', () => {
    expect(screen().message).toBe('Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit');
  });

  it('prints the information menu', () => {
    expect(screen('1').message).toBe('Information Center\n1. About this service\n2. Pricing\n3. Delivery\n*. Exit');
  });

  it.each([
    [['1'], 'knowMore'],
    [['0'], 'closed'],
    [['*'], 'closed'],
    [['1', '1'], 'infoTopic'],
    [['1', '2'], 'infoTopic'],
    [['1', '3'], 'infoTopic'],
    [['1', '0'], 'preMenu'],
    [['1', '*'], 'closed'],
    [['1', '2', '1'], 'preMenu'],
    [['1', '2', '0'], 'knowMore'],
    [['1', '2', '*'], 'closed'],
  ])('goes %j to %s', (inputs, state) => expect(type(...inputs).state).toBe(state));

  it.each(['٠١٢', '०१२', '۰۱۲', '０１２', '𞥐𞥑𞥒'])('reads the keys %j as 0, 1 and 2', (keys) => {
    const [zero = '', one = '', two = ''] = keys;
    expect(type(one).state).toBe('knowMore');
    expect(type(one, two).state).toBe('infoTopic');
    expect(type(one, zero).state).toBe('preMenu');
  });

  it('shows the chosen topic, with its navigation on every page', () => {
    const [about, pricing, delivery] = ['1', '2', '3'].map((topic) => screen('1', topic).message);
    expect(about).toContain('any phone');
    expect(pricing).toContain('price');
    expect(delivery).toContain('collection point');
    for (const message of [about, pricing, delivery])
      expect(message?.endsWith('1. Back to Main Menu\n0. Back')).toBe(true);
  });

  it('repeats a screen with the reason on top, for any refused input', () => {
    for (const wrong of ['9', '', 'exit', 'cancel', 'back', '11', '1 2', '#', '98', '99', '**']) {
      expect(screen('1', wrong).message).toBe(
        'Invalid choice. Please try again.\nInformation Center\n1. About this service\n2. Pricing\n3. Delivery\n*. Exit',
      );
    }
  });

  it('drops the reason after the next valid input', () => {
    expect(screen('9', '1').message).toBe(screen('1').message);
  });

  it('accepts an input with blanks around it', () => expect(type(' 1 ', '2\r\n').state).toBe('infoTopic'));

  it('ends with END', () => {
    expect(screen('*')).toMatchObject({ closes: true, message: 'Thank you for using Mlango. Goodbye!' });
  });

  it('gives one screen of legal size for any inputs', () => {
    const input = fc.oneof(
      fc.constantFrom('0', '1', '2', '3', '00', '98', '99', '*', '', 'Amina Otieno', '90210', 'C0000000A'),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 12 }), fc.constantFrom('Mlango', 'ç'.repeat(40)), (inputs, appName) => {
        let position = startOf(defaultFlow);
        for (const typed of inputs) {
          const taken = applyInput(defaultFlow, position, typed, {
            facts: { appName, phoneNumber: '+260971230567' },
            arrivedAtMs: 0,
          });
          if (taken.kind === 'polls') throw new Error('nothing is under way');
          position = taken.position;
          const { message } = show(defaultFlow, position, { appName });
          expect(message).not.toBe('');
          expect(fitsMessage(message, networkLimits)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
