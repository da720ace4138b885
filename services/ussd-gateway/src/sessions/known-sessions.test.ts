import { describe, expect, it } from 'vitest';
import { KnownSessions } from './known-sessions.js';
import { savedKeysOf } from './redis-session-keys.js';
import { storedText } from './session-record.js';
import { anyRecord } from './session-store.fixture.js';
import { sessionName } from './session-store.js';

function knownOne() {
  const record = anyRecord();
  return {
    name: sessionName(record),
    record,
    text: storedText(record),
    keys: savedKeysOf(record, record.serviceCode),
  };
}

describe('sessions that this process saved last', () => {
  it('are known until they are taken or end', () => {
    const sessions = new KnownSessions();
    const one = knownOne();
    sessions.remember(one, 1000);
    expect(sessions.find(one.name)).toBe(one);
    expect(sessions.take(one.name)).toBe(one);
    expect(sessions.find(one.name)).toBeUndefined();
    sessions.remember(one, 1000);
    sessions.remember(one, 0);
    expect(sessions.find(one.name)).toBeUndefined();
  });

  it('are forgotten once their life is over, as others are saved', () => {
    let now = 0;
    const sessions = new KnownSessions(() => now);
    const [first, second, third] = [knownOne(), knownOne(), knownOne()];
    sessions.remember(first, 1000);
    now = 600;
    sessions.remember(second, 1000);
    now = 1000;
    sessions.remember(third, 1000);
    expect([first, second, third].map(({ name }) => sessions.find(name))).toEqual([undefined, second, third]);
  });

  it('are 2,500 at most, those that were saved last', () => {
    const sessions = new KnownSessions();
    const all = Array.from({ length: 2502 }, knownOne);
    for (const one of all) sessions.remember(one, 1000);
    expect(all.filter(({ name }) => sessions.find(name) === undefined)).toEqual(all.slice(0, 2));
  });
});
