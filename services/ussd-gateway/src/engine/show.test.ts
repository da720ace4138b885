import { describe, expect, it } from 'vitest';
import { replay } from './apply-input.js';
import type { Flow } from './flow.js';
import { type Position, startOf } from './position.js';
import { show } from './show.js';

const entries = Array.from({ length: 12 }, (_, index) => index + 1);
const flow: Flow = {
  id: 'long',
  version: 1,
  start: 'list',
  exit: 'bye',
  screens: {
    list: {
      kind: 'menu',
      lines: ['title'],
      options: entries.map((entry) => ({ key: String(entry), label: `entry${entry}`, to: 'list' })),
      navigation: [{ key: '0', label: 'back', to: 'list' }],
    },
    bye: { kind: 'closing', lines: ['title'] },
  },
  texts: {
    en: {
      title: 'Choose a crop',
      back: 'Back',
      more: 'More',
      previous: 'Previous',
      wrongChoice: 'Invalid choice. Please try again, with a number from the list.',
      ...Object.fromEntries(entries.map((entry) => [`entry${entry}`, `Crop with a name number ${entry}`])),
    },
  },
  defaultLanguage: 'en',
};
const type = (...inputs: string[]): Position => replay(flow, startOf(flow), inputs, { facts: {}, arrivedAtMs: 0 });
const message = (...inputs: string[]) => show(flow, type(...inputs), {}).message;
const entriesIn = (text: string) => [...text.matchAll(/^(\d+)\. Crop/gm)].map(([, key]) => Number(key));

describe('a long screen', () => {
  it('turns forward and back through the same pages', () => {
    const [first, second, third] = [message(), message('98'), message('98', '98')];
    expect([...entriesIn(first), ...entriesIn(second), ...entriesIn(third)]).toEqual(entries);
    expect(message('98', '99')).toBe(first);
    expect(message('98', '98', '99')).toBe(second);
  });

  it('refuses a turner that its page does not print', () => {
    expect(message('99').startsWith('Invalid choice.')).toBe(true);
    expect(message('98', '98', '98').startsWith('Invalid choice.')).toBe(true);
  });

  it('accepts an entry from any page', () => {
    expect(type('98', '98', '1')).toMatchObject({ state: 'list', page: 0 });
    expect(type('12')).not.toHaveProperty('notice');
  });

  it('repeats the page with the reason as its first line, and still shows every entry once', () => {
    const shown = message('98', '777');
    expect(shown.startsWith('Invalid choice. Please try again')).toBe(true);
    let [position, seen] = [type('777'), [] as number[]];
    for (let turn = 0; turn < 6; turn++) {
      const page = show(flow, position, {});
      seen = [...seen, ...entriesIn(page.message)];
      if (!page.hasMore) break;
      position = replay(flow, position, ['98'], { facts: {}, arrivedAtMs: 0 });
    }
    expect(seen).toEqual(entries);
  });

  it('is refused a second time in the same way', () => {
    expect(message('98', '777', '777')).toBe(message('98', '777'));
    expect(message('98', '777', '98', '777')).not.toBe('');
  });
});
