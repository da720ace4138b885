import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach } from 'vitest';
import { MemoryAccountStore } from '../../src/accounts/memory-account-store.fixture.js';
import { MemoryIntentStore } from '../../src/effects/memory-intent-store.fixture.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { openTestApp, sendHop } from './test-app.js';

export let app: HttpApp;
/** Log lines of the app. */
export const lines: string[] = [];
let now: number;
let sessionCount = 0;
export let accounts: MemoryAccountStore;
export let sessions: MemorySessionStore;
export let intents: MemoryIntentStore;

export const unavailable = 'END Service temporarily unavailable. Please try again later.';

/** Advances the clock, for sessions and for locks. */
export function pass(ms: number): void {
  now += ms;
}

/** A new app for each test of a file, on in-memory stores and a manual clock. */
export function useApp(): void {
  beforeEach(async () => {
    now = 1_700_000_000_000;
    const clock = () => now;
    accounts = new MemoryAccountStore(clock);
    sessions = new MemorySessionStore({ clock });
    intents = new MemoryIntentStore(clock);
    lines.length = 0;
    app = await openTestApp({ clock, accounts, intents, store: sessions, log: (line) => lines.push(line) });
  });
  afterEach(async () => app.close());
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
