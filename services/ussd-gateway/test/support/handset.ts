import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, vi } from 'vitest';
import { AccountStore } from '../../src/accounts/account-store.js';
import { EffectStore } from '../../src/effects/effect-store.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { emptyDatabase } from './embedded-database.js';
import { openTestApp, sendHop } from './test-app.js';

export let app: HttpApp;
/** Log lines of the app. */
export const lines: string[] = [];
let sessionCount = 0;
export let accounts: AccountStore;
export let sessions: MemorySessionStore;
export let effectStore: EffectStore;

export const unavailable = 'END Service temporarily unavailable. Please try again later.';

/** Advances the clock, for sessions and for locks. */
export function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** A new app for each test of a file, on empty stores and a manual clock. */
export function useApp(): void {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
    const database = await emptyDatabase();
    accounts = new AccountStore(database);
    effectStore = new EffectStore(database);
    sessions = new MemorySessionStore({ clock: Date.now });
    lines.length = 0;
    app = await openTestApp({
      clock: Date.now,
      database,
      effectStore,
      store: sessions,
      log: (line) => lines.push(line),
    });
  });
  afterEach(async () => {
    await app.close();
    vi.useRealTimers();
  });
}

/** A subscriber in a new session: types one input after the other, each sent as accumulated text. */
export function handset(phoneNumber = '+260971230567') {
  const caller = { sessionId: `handset-${sessionCount++}`, phoneNumber };
  let text: string | undefined;
  const send = async (typed: string) => (await sendHop(app, typed, caller)).text;
  return {
    send,
    /** Reply to the last of the inputs. */
    type: async (...inputs: string[]) => {
      let reply = '';
      if (text === undefined) {
        text = '';
        await send(text);
      }
      for (const input of inputs) {
        text = text === '' ? input : `${text}*${input}`;
        reply = await send(text);
      }
      return reply;
    },
    /** The last sent text. */
    text: () => text ?? '',
    state: async () => (await sessions.findLive(caller.sessionId, ['canonical']))?.position.state,
    record: () => sessions.findLive(caller.sessionId, ['canonical']),
  };
}

/** Creates an account and returns its Customer ID. */
export async function signUp(phoneNumber?: string): Promise<string> {
  const reply = await handset(phoneNumber).type('2', '2', 'Amina Otieno', 'amina@example.org', '90210', '90210');
  const id = /C[0-9A-Z]{8}/.exec(reply)?.[0];
  if (id === undefined) throw new Error(`no account: ${reply}`);
  return id;
}
