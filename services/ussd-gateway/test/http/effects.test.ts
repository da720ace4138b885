import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEffect } from '../../src/effects/effect.js';
import { EffectStore } from '../../src/effects/effect-store.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { payFlow } from '../effects/pay-flow.js';
import { emptyDatabase } from '../support/embedded-database.js';
import { openTestApp, sendHop, type TestAppOptions } from '../support/test-app.js';

const working = 'CON We are working on it.\n1. Check again\n0. Back';
const receipt = 'END Paid 250. Reference R-1';
const menu = 'CON Soko\n1. Pay\n*. Leave';

describe('a payment', () => {
  const apps: HttpApp[] = [];
  let keys: string[];
  /** Completes a pending payment. */
  let confirm: () => void;
  let confirmed: Promise<void>;
  let shared: TestAppOptions;
  const open = async (pay: RunEffect, env: Record<string, string> = {}) => {
    const app = await openTestApp({ ...shared, flow: payFlow, effects: { pay }, env });
    apps.push(app);
    return app;
  };
  const slow: RunEffect = async ({ key }) => {
    keys.push(key);
    await confirmed;
    return { result: 'paid', facts: { reference: 'R-1' } };
  };
  const handset = (sessionId: string) => {
    let text = '';
    return {
      dial: async (app: HttpApp) => (await sendHop(app, '', { sessionId })).text,
      type: async (app: HttpApp, input: string) => {
        text = text === '' ? input : `${text}*${input}`;
        return (await sendHop(app, text, { sessionId })).text;
      },
      repeat: async (app: HttpApp) => (await sendHop(app, text, { sessionId })).text,
    };
  };

  beforeEach(async () => {
    keys = [];
    confirmed = new Promise((resolve) => {
      confirm = resolve;
    });
    shared = { store: new MemorySessionStore(), database: await emptyDatabase() };
  });
  afterEach(async () => {
    confirm();
    for (const app of apps.splice(0)) await app.close();
  });

  it('that is slower than the hop continues, can be polled, and is paid once', async () => {
    const app = await open(slow, { HOP_DEADLINE_MS: '3000' });
    const user = handset('one');
    await user.dial(app);
    await user.type(app, '1');
    expect(await user.type(app, '250')).toBe(working);
    expect(await user.repeat(app)).toBe(working);
    expect(await user.type(app, '1')).toBe(working);
    confirm();
    expect(await user.type(app, '1')).toBe(receipt);
    expect(await user.repeat(app)).toBe(receipt);
    expect(keys).toHaveLength(1);
    // The outcome was shown: a dial gets the menu.
    expect(await handset('two').dial(app)).toBe(menu);
  });

  it('with an input after its outcome is acknowledged, even if the process that showed it crashed before storing that', async () => {
    const database = await emptyDatabase();
    const effectStore = new EffectStore(database);
    shared = { ...shared, database, effectStore };
    const note = vi.spyOn(effectStore, 'acknowledge').mockRejectedValueOnce(new Error('killed'));
    const app = await open(async () => ({ result: 'refused' }));
    const user = handset('one');
    await user.dial(app);
    await user.type(app, '1');
    expect(await user.type(app, '250')).toBe('CON It was refused.\nSoko\n1. Pay\n*. Leave');
    await vi.waitFor(() => expect(note).toHaveBeenCalledOnce());
    expect(await user.type(app, '1')).toMatch(/^CON How much/);
    expect(await handset('two').dial(app)).toBe(menu);
  });

  it('without a shown outcome is shown once after a dial at another replica', async () => {
    const [app, other] = [await open(slow, { HOP_DEADLINE_MS: '3000' }), await open(slow, { HOP_DEADLINE_MS: '3000' })];
    const user = handset('one');
    await user.dial(app);
    await user.type(app, '1');
    expect(await user.type(app, '250')).toBe(working);
    expect(await handset('two').dial(other)).toBe(working);
    confirm();
    expect(await handset('three').dial(other)).toBe(receipt);
    expect(await handset('four').dial(other)).toBe(menu);
    expect(keys).toHaveLength(1);
  });

  it('is shown to a lost session that returns with its whole text', async () => {
    const app = await open(slow, { HOP_DEADLINE_MS: '3000' });
    const user = handset('one');
    await user.dial(app);
    await user.type(app, '1');
    expect(await user.type(app, '250')).toBe(working);
    const emptied = await openTestApp({
      ...shared,
      store: new MemorySessionStore(),
      flow: payFlow,
      effects: { pay: slow },
      env: { HOP_DEADLINE_MS: '3000' },
    });
    apps.push(emptied);
    expect(await user.repeat(emptied)).toBe(working);
    confirm();
    expect(await user.type(emptied, '1')).toBe(receipt);
    expect(keys).toHaveLength(1);
  });

  it('with an unknown outcome is never answered with an offer to try again', async () => {
    let tries = 0;
    const app = await open(async ({ key }) => {
      keys.push(key);
      if (++tries === 1) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
      return { result: 'paid', facts: { reference: 'R-1' } };
    });
    const user = handset('one');
    await user.dial(app);
    await user.type(app, '1');
    expect(await user.type(app, '250')).toBe(working);
    expect(await user.type(app, '1')).toBe(receipt);
    expect(new Set(keys).size).toBe(1);
  });

  it('is not begun twice from two sessions of one subscriber', async () => {
    const app = await open(slow, { HOP_DEADLINE_MS: '3000' });
    const [first, second] = [handset('one'), handset('two')];
    for (const user of [first, second]) {
      await user.dial(app);
      await user.type(app, '1');
    }
    expect(await first.type(app, '250')).toBe(working);
    expect(await second.type(app, '99')).toBe(working);
    confirm();
    expect(await second.type(app, '1')).toBe(receipt);
    expect(keys).toHaveLength(1);
  });
});
