import { keyringOf } from '@mlango/crypto/keyring';
import { describe, expect, it } from 'vitest';
import { defaultFlow } from '../flows/default-flow.fixture.js';
import { decideReply, type HopRules } from './decide-reply.js';
import { menuHopRules } from './hop-rules.fixture.js';
import type { SessionRecord } from './session-record.js';
import { sessionSecrets } from './session-secrets.js';
import type { StoredSession } from './session-store.js';

const oldKey = { id: 'old', bytes: Buffer.alloc(32, 1) };
const newKey = { id: 'new', bytes: Buffer.alloc(32, 2) };
const under = (...keys: Parameters<typeof keyringOf>[0]): Pick<HopRules, 'secrets'> => ({
  secrets: { ...sessionSecrets(keyringOf(keys)), freshNonce: () => 'nonce' },
});
const rules: HopRules = menuHopRules(under(oldKey));
const hop = (text: string) => ({
  aggregator: 'canonical',
  sessionId: 's',
  phoneNumber: '+260971230567',
  serviceCode: '*384#',
  text,
  arrivedAtMs: 0,
});

/** The record after some texts, each answered on the previous record. */
async function recordAfter(texts: readonly string[], by: HopRules = rules): Promise<SessionRecord> {
  let stored: StoredSession | undefined;
  for (const text of texts) {
    const { record } = await decideReply(hop(text), stored, by);
    if (record !== undefined) stored = { phase: record.ended ? 'past' : 'live', record };
  }
  if (stored === undefined) throw new Error('nothing was recorded');
  return stored.record;
}
const live = async (...texts: string[]): Promise<StoredSession> => ({
  phase: 'live',
  record: await recordAfter(texts),
});
const gone = async (...texts: string[]): Promise<StoredSession> => ({
  phase: 'past',
  record: await recordAfter(texts),
});

describe('a hop', () => {
  it('that dials shows the main menu', async () => {
    const answer = await decideReply(hop(''), undefined, rules);
    expect(answer).toMatchObject({
      kind: 'dial',
      state: 'preMenu',
      reply: 'CON Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit',
    });
  });

  it('that repeats the last one gets the same reply and changes nothing', async () => {
    const session = await live('', '1', '1*2');
    expect(await decideReply(hop('1*2'), session, rules)).toEqual({
      kind: 'repeat',
      state: 'infoTopic',
      reply: `CON ${session.record.message}`,
      record: undefined,
    });
  });

  it('that arrives late gets the current reply and changes nothing', async () => {
    const session = await live('', '1', '1*2');
    expect(await decideReply(hop('1'), session, rules)).toMatchObject({
      reply: `CON ${session.record.message}`,
      record: undefined,
    });
  });

  it('of a lost session continues at the screen of its text', async () => {
    expect(await decideReply(hop('1*2'), undefined, rules)).toMatchObject({ kind: 'replay', state: 'infoTopic' });
    expect(await recordAfter(['1*2'])).toEqual({ ...(await recordAfter(['', '1*2'])), cameFrom: undefined, hops: 1 });
  });

  it('after a wrong input shows a notice on the same screen', async () => {
    const record = await recordAfter(['', '1', '1*7']);
    expect(record.position.state).toBe('knowMore');
    expect(record.message.split('\n')[0]).toBe('Invalid choice. Please try again.');
  });

  it('that exits ends the session, and its retry gets the same END', async () => {
    const session = await gone('', '1', '1**');
    expect(session.record).toMatchObject({ ended: true, message: 'Thank you for using Mlango. Goodbye!' });
    // It stores the mark of its last text only.
    expect(session.record.marks).toEqual([{ length: 3, mac: expect.any(String) as string }]);
    expect(await decideReply(hop('1**'), session, rules)).toMatchObject({
      reply: 'END Thank you for using Mlango. Goodbye!',
      record: undefined,
    });
  });

  it('after the end gets the text to dial again', async () => {
    expect(await decideReply(hop('1**1'), await gone('', '1', '1**'), rules)).toMatchObject({
      kind: 'expired',
      reply: 'END Session expired. Please dial again.',
      record: undefined,
    });
    expect((await decideReply(hop('1*2'), await gone('', '1'), rules)).kind).toBe('expired');
  });

  it('that dials again restarts the session, live or closed', async () => {
    for (const session of [await live('', '1'), await gone('', '1'), await gone('', '*')]) {
      expect(await decideReply(hop(''), session, rules)).toMatchObject({ kind: 'dial', state: 'preMenu' });
    }
  });

  it('leaves nothing of its text in the record', async () => {
    const record = await recordAfter(['', '90210']);
    expect(JSON.stringify(record)).not.toContain('90210');
  });
});

describe('a session that this process cannot continue', () => {
  const rotated: HopRules = { ...rules, ...under(newKey, oldKey) };
  const replaced: HopRules = { ...rules, ...under(newKey) };

  it('is closed while its key is still known', async () => {
    expect(await decideReply(hop('1*2'), await live('', '1'), rotated)).toMatchObject({
      kind: 'input',
      state: 'infoTopic',
    });
  });

  it('is replayed from its text if its key is no longer known', async () => {
    const answer = await decideReply(hop('1*2'), await live('', '1'), replaced);
    expect(answer).toMatchObject({ kind: 'replay', state: 'infoTopic', record: { macKeyId: 'new' } });
  });

  it('is replayed if its version of the flow is not served', async () => {
    const next: HopRules = { ...rules, flows: [{ ...defaultFlow, version: 9 }] };
    expect(await decideReply(hop('1*2'), await live('', '1'), next)).toMatchObject({
      kind: 'replay',
      record: { flow: { version: 9 } },
    });
  });
});

it('a running session stays on its first version of the flow', async () => {
  const next = { ...defaultFlow, version: 9 };
  const both: HopRules = { ...rules, flows: [next, defaultFlow] };
  expect((await decideReply(hop('1*2'), await live('', '1'), both)).record?.flow.version).toBe(defaultFlow.version);
  expect((await decideReply(hop(''), await live('', '1'), both)).record?.flow.version).toBe(9);
});

describe('the MAC of a text', () => {
  const mac = (sessionId: string, keyId = 'old') =>
    sessionSecrets(keyringOf([oldKey, newKey])).macOf(
      { aggregator: 'canonical', sessionId, phoneNumber: '+260971230567' },
      keyId,
    )?.('2*12345');

  it('differs by session and by key, and is otherwise equal', () => {
    expect(mac('a')).toBe(mac('a'));
    expect(mac('a')).not.toBe(mac('b'));
    expect(mac('a')).not.toBe(mac('a', 'new'));
    expect(mac('a', 'unknown')).toBeUndefined();
  });
});
