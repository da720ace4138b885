import { describe, expect, it } from 'vitest';
import { defaultFlow } from '../flows/default-flow.fixture.js';
import type { Position } from './position.js';
import { cachedScreens, show } from './show.js';

const shared = { appName: 'Mlango' };
const facts = { ...shared, phoneNumber: '+260971230567' };
const print = cachedScreens(shared);
const at = (change: Partial<Position>): Position => ({
  state: 'preMenu',
  language: 'en',
  choices: {},
  page: 0,
  ...change,
});

describe('a cached screen', () => {
  it('equals the uncached one for every language, choice and page', () => {
    for (const language of Object.keys(defaultFlow.texts)) {
      for (const topic of ['about', 'pricing', 'delivery']) {
        for (const page of [0, 1]) {
          const there = at({ state: 'infoTopic', language, choices: { topic }, page });
          for (let again = 0; again < 2; again++) {
            expect(print(defaultFlow, there, facts)).toEqual(show(defaultFlow, there, facts));
          }
        }
      }
    }
  });

  it('is rendered once', () => {
    expect(print(defaultFlow, at({}), facts)).toBe(print(defaultFlow, at({}), facts));
  });

  it('is cached per flow version', () => {
    const next = {
      ...defaultFlow,
      version: 9,
      texts: { ...defaultFlow.texts, en: { ...defaultFlow.texts['en'], welcome: 'New' } },
    };
    print(defaultFlow, at({}), facts);
    expect(print(next, at({}), facts).message).toMatch(/^New\n/);
  });
});

describe('a screen with data of the subscriber', () => {
  it('is rendered per session: names, numbers, reasons for a refused input', () => {
    for (const name of ['Ana', 'Zoë']) {
      const menu = at({ state: 'userMenu', entries: { name, shownName: name }, account: 'C00000001' });
      expect(print(defaultFlow, menu, facts).message).toContain(`Welcome, ${name}!`);
    }
    for (const phoneNumber of ['+254700000001', '+254700000002']) {
      const entries = { name: 'Ana', customerId: 'C00000001', email: '-', shownName: 'Ana' };
      const shown = print(defaultFlow, at({ state: 'myDetails', entries }), { ...shared, phoneNumber });
      expect(shown.message).toContain(phoneNumber);
    }
    print(defaultFlow, at({}), facts);
    const refused = print(defaultFlow, at({ notice: { text: 'wrongChoice', page: 0 } }), facts);
    expect(refused.message).toMatch(/^Invalid choice/);
    expect(print(defaultFlow, at({}), facts).message).not.toMatch(/Invalid/);
  });
});
