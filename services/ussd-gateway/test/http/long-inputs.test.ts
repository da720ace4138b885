import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, screens } from '../support/aggregator-calls.js';
import { openTestApp, sendHop } from '../support/test-app.js';

let app: HttpApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => app.close());

const caller = { sessionId: 'long', phoneNumber: '+260971230567', serviceCode: '*384#', networkCode: '1' };
const hop = async (text: string) =>
  (await call(app, { url: '/api/ussd/africastalking', form: { ...caller, text } })).text;

async function type(...inputs: string[]): Promise<string> {
  let screen = await hop('');
  for (const [index] of inputs.entries()) screen = await hop(inputs.slice(0, index + 1).join('*'));
  return screen;
}

const longestEmail = `${'e'.repeat(64)}@${'h'.repeat(32)}.co`;

describe('a text that accumulates', () => {
  it.each([
    ['letters', 'N'.repeat(100)],
    ['letters of three bytes', '\u1f00'.repeat(100)],
  ])('has room for the longest name, of %s, and the longest address after it', async (_, name) => {
    expect(longestEmail).toHaveLength(100);
    expect(await type('2', '2', name, longestEmail, '90210', '90210')).toContain('Account created successfully!');
  });

  it('may have 182 new characters and not one more, at any place in a session, and a refused one can be replaced', async () => {
    expect(await type('2', '2', 'N'.repeat(182))).toContain('Enter your full name');
    expect(await type('2', '2', 'N'.repeat(183))).toBe(`END ${screens.invalid}`);
    expect(await hop('2*2*Amina')).toContain('Enter your email address');
  });

  it('may have 2,048 characters in total and not one more', async () => {
    const wrong = (count: number) => Array.from({ length: count }, () => 'x'.repeat(181));
    const most = ['2', ...wrong(11)];
    expect(await type(...most, 'y'.repeat(2_048 - most.join('*').length - 1))).toContain('Account Menu');
    expect(await hop('z'.repeat(2_049))).toBe(`END ${screens.invalid}`);
  });
});

it('the canonical text has at most 182 characters in total', async () => {
  expect((await sendHop(app, '1'.repeat(182))).text).toMatch(/^CON /);
  expect((await sendHop(app, '1'.repeat(183), { sessionId: 'other' })).text).toBe(`END ${screens.invalid}`);
});
