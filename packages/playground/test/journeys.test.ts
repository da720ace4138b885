import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { journeys } from './journeys.js';

const all = Object.entries(journeys).flatMap(([file, walked]) => walked.map((journey) => ({ file, ...journey })));

const files = new Map<string, string>();

function read(file: string): string {
  const text = files.get(file) ?? readFileSync(new URL(file, import.meta.url), 'utf8');
  files.set(file, text);
  return text;
}

/** The text of one test of a file: from its title to the next. Undefined if none has that title. */
function testOf(file: string, title: string): string | undefined {
  const [, behind] = read(file).split(`'${title}',`);
  return behind?.split(/\n {2,4}it[.(]/, 1)[0];
}

/** Actions a keyboard user cannot do, or that skip the navigation. */
const pointed = /\.(click|dblclick|tap|fill|check|uncheck|hover|focus|dragTo|selectOption|setInputFiles)\(/;

describe('the journeys', () => {
  it('are at least twenty, with enough failures among them, each with its own name', () => {
    expect(all.length).toBeGreaterThanOrEqual(20);
    expect(all.filter(({ isTrouble }) => isTrouble).length).toBeGreaterThanOrEqual(10);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it.each(all)('"$name" has a test that runs it, and stores its screenshots', ({ file, test: title, pictures }) => {
    const test = testOf(file, title);
    expect(test, `${file} has no test "${title}"`).toBeDefined();
    for (const picture of pictures ?? []) {
      const kept = picture.endsWith('-*')
        ? new RegExp(`isSoundInEveryLook\\(watched, '${picture.slice(0, -2)}'[,)]`)
        : new RegExp(`picture\\(['\`]${picture}['\`]\\)`);
      expect(test).toMatch(kept);
    }
    expect(/\b(it|describe)\.(skip|todo|only)\(/.test(read(file)), `${file} skips`).toBe(false);
  });

  it.each(all)('"$name" uses the keyboard only', ({ file, test: title }) => {
    const [before = ''] = read(file).split(/\n {2,4}it[.(]/, 1);
    for (const text of [before, testOf(file, title), read('support/talk.ts')]) expect(text).not.toMatch(pointed);
  });
});
