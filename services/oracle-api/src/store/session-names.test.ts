import { keyringOf } from '@mlango/crypto/keyring';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import type { ConversationStore } from './conversation-store.js';
import { SessionNames } from './session-names.js';

const keyOf = (letter: string) => ({ id: letter, bytes: Buffer.alloc(32, letter) });
const [asha, juma] = ['did:key:asha', 'did:key:juma'];
let store: ConversationStore;
let names: SessionNames;
beforeEach(async () => {
  store = (await openTestStores()).conversations;
  names = new SessionNames(store, keyringOf([keyOf('a')]));
});

const creating = (owner: string) => (sessionId: string) =>
  store.createSession(owner, { sessionId, createdAt: new Date(0) });
const open = (owner: string, name: string, by = names) => by.open(owner, name, 'id', creating(owner));
const openOfPlugin = (plugin: string, owner: string, name: string, by = names) =>
  by.openOfPlugin(plugin, owner, name, creating(owner));

describe('the session of a name', () => {
  it('has the name as its id if that is free, and is found again', async () => {
    expect(await names.find(asha, 'main')).toBeUndefined();
    expect([await open(asha, 'main'), await open(asha, 'main')]).toEqual(['main', 'main']);
    expect(await names.find(asha, 'main')).toBe('main');
  });

  it('has its own id when another user has the name, also after that user has deleted theirs', async () => {
    await open(asha, 'main');
    const ofJuma = await open(juma, 'main');
    expect(ofJuma).toMatch(/^named-[\w-]{43}$/);
    expect(await names.find(juma, 'main')).toBe(ofJuma);
    await store.deleteSession(asha, 'main');
    expect(await open(juma, 'main')).toBe(ofJuma);
  });

  it('is rejected with 400 for a new name with a reserved prefix', async () => {
    await open(asha, 'main');
    const derived = await open(juma, 'main');
    expect(await open(juma, derived)).toBe(derived);
    for (const name of [derived, 'named-', 'plugin-slack-x']) {
      await expect(open(asha, name)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('must not begin with named- or plugin-'),
      });
    }
  });

  it('is opened once by two concurrent requests', async () => {
    await open(asha, 'main');
    const opened = await Promise.all([
      open(juma, 'main'),
      open(juma, 'main'),
      open(juma, 'other'),
      open(juma, 'other'),
    ]);
    expect(opened[0]).toBe(opened[1]);
    expect(opened.slice(2)).toEqual(['other', 'other']);
  });

  it('of a plugin depends on the plugin, the user, the name and the key', async () => {
    const otherKey = new SessionNames(store, keyringOf([keyOf('b')]));
    const ids = [
      await openOfPlugin('slack', asha, 'thread'),
      await openOfPlugin('teams', asha, 'thread'),
      await openOfPlugin('slack', juma, 'thread'),
      await openOfPlugin('slack', asha, 'thread 2'),
      await openOfPlugin('slack', asha, 'thread', otherKey),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toMatch(/^plugin-slack-[\w-]{43}$/);
    expect(await openOfPlugin('slack', asha, 'thread')).toBe(ids[0]);
  });

  it('is found after a key rotation while the earlier key is configured', async () => {
    await open(asha, 'main');
    const before = [await open(juma, 'main'), await openOfPlugin('slack', asha, 'thread')];
    const rotated = new SessionNames(store, keyringOf([keyOf('b'), keyOf('a')]));
    expect([await open(juma, 'main', rotated), await openOfPlugin('slack', asha, 'thread', rotated)]).toEqual(before);
  });

  it('is not opened when the store fails, with the failure as the cause', async () => {
    const cause = new Error('connection lost');
    const failing = () => Promise.reject(cause);
    const refusal = { message: 'the session could not be opened', cause };
    await expect(names.open(asha, 'main', 'id', failing)).rejects.toMatchObject(refusal);
    await expect(names.openOfPlugin('slack', asha, 'thread', failing)).rejects.toMatchObject(refusal);
  });
});
