import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { AccountStore } from '../../src/accounts/account-store.js';
import { duplicateWindowMs, readConfig } from '../../src/config.js';
import { TestClock } from '../support/aggregator-calls.js';
import { emptyDatabase } from '../support/embedded-database.js';
import { openTestApp, sendHop } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

async function open(env: Record<string, string> = {}) {
  const clock = new TestClock();
  const database = await emptyDatabase();
  const accounts = new AccountStore(database);
  app = await openTestApp({ clock: clock.read, database, env: { USSD_TEXT_MODE: 'latest', ...env } });
  let session = 0;
  return {
    clock,
    accounts,
    /** Types one input after the other in a new session, with time to read each screen; returns the last one. */
    type: async (...inputs: string[]) => {
      session += 1;
      const sessionId = `s${session}`;
      let screen = '';
      for (const input of ['', ...inputs]) {
        clock.think();
        screen = (await sendHop(app, input, { sessionId })).text;
      }
      return { screen, repeat: async (input: string) => (await sendHop(app, input, { sessionId })).text };
    },
  };
}

describe('a repeated key, if callers send the last input only', () => {
  it('is one press within the window: twenty concurrent ones lead to one screen', async () => {
    const { type, clock } = await open({ DUPLICATE_WINDOW_MS: '1000' });
    const { repeat } = await type('1');
    clock.think();
    const screens = await Promise.all(Array.from({ length: 20 }, () => repeat('1')));
    expect(new Set(screens).size).toBe(1);
    expect(screens[0]).toContain('1. Back to Main Menu');
    clock.nowMs += 900;
    expect(await repeat('1')).toBe(screens[0]);
    clock.think();
    expect(await repeat('1')).toContain('Welcome to Mlango');
  });

  it('is two presses without a window, once the screen was shown', async () => {
    const { type, clock } = await open({ DUPLICATE_WINDOW_MS: '0' });
    const { repeat } = await type('1');
    // Within the window of production, and longer than a hop takes on a busy machine.
    clock.nowMs += 900;
    expect(await repeat('1')).toContain('1. Back to Main Menu');
    clock.nowMs += 900;
    expect(await repeat('1')).toContain('Welcome to Mlango');
  });
});

describe('a repeated secret', () => {
  it.each(['0', '1000'])('does not confirm itself, also with DUPLICATE_WINDOW_MS=%s', async (DUPLICATE_WINDOW_MS) => {
    const { type, clock } = await open({ DUPLICATE_WINDOW_MS });
    const { screen, repeat } = await type('2', '2', 'Amina', '00', '90210');
    expect(screen).toContain('Confirm your 5-digit PIN');
    clock.nowMs += 900;
    expect(await repeat('90210')).toBe(screen);
    clock.think();
    expect(await repeat('90210')).toContain('Account created successfully!');
  });

  it('uses one attempt if it is wrong', async () => {
    const { type, clock } = await open();
    const created = await type('2', '2', 'Amina', '00', '90210', '90210');
    const id = /C[0-9A-Z]{8}/.exec(created.screen)?.[0] ?? '';
    const { screen, repeat } = await type('2', '1', id, '11112');
    expect(screen).toContain('Attempts left: 2');
    clock.nowMs += 500;
    for (let count = 0; count < 5; count++) expect(await repeat('11112')).toBe(screen);
    clock.think();
    expect(await repeat('11112')).toContain('Attempts left: 1');
  });
});

it('a production process has a window of one second by default', () => {
  const production = { NODE_ENV: 'production', ALLOW_EMBEDDED: 'true', OPERATOR_ROUTES: 'off' };
  const key = { PIN_ENCRYPTION_KEY: 'c0ffee11d00dfeedfacecafe0123456789abcdef1032547698badcfe5566aa99' };
  expect(duplicateWindowMs(readConfig({ ...production, ...key }).sessions)).toBe(1000);
  expect(duplicateWindowMs(readConfig({ ...production, ...key, DUPLICATE_WINDOW_MS: '0' }).sessions)).toBe(0);
  expect(duplicateWindowMs(readConfig({}).sessions)).toBe(0);
});
