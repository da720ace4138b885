import { describe, expect, it } from 'vitest';
import { importBrowserIdentity, openBrowserIdentity } from '../src/browser-identity.js';
import { baseUrl, oracleDid } from './service.fixture.js';

/** Seed storage of a browser without Ed25519. */
function memoryStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const sessions = (headers: Record<string, string>, method = 'GET') => fetch(`${baseUrl}/sessions`, { method, headers });

describe('the identity of a browser', () => {
  it('creates invocations and delegations that an oracle accepts as those of one user', async () => {
    const user = await openBrowserIdentity({ storage: memoryStorage() });
    const invocation = await user.createInvocation(oracleDid);
    const delegation = await user.createDelegation(oracleDid);
    const invoked = { authorization: `Bearer ${invocation.serialized}`, 'x-auth-type': 'ucan' };
    const delegated = { 'x-ucan-delegation': delegation.serialized };
    const made = await sessions(invoked, 'POST');
    expect(made.status).toBe(201);
    const listed = await sessions(delegated);
    expect(await listed.json()).toMatchObject({ total: 1, sessions: [await made.json()] });
    expect(invocation.expiresAt - Date.now()).toBeLessThanOrEqual(300_000);
    expect(delegation.expiresAt - Date.now()).toBeGreaterThan(6 * 86_400_000);
  });

  it('is the same user after a reload, until it is deleted', async () => {
    const storage = memoryStorage();
    const first = await openBrowserIdentity({ storage });
    expect((await openBrowserIdentity({ storage })).did).toBe(first.did);
    expect((await openBrowserIdentity({ storage, name: 'other' })).did).not.toBe(first.did);
    await first.forget();
    expect((await openBrowserIdentity({ storage })).did).not.toBe(first.did);
  });

  it('creates a new key if the storage contains something else', async () => {
    const storage = memoryStorage();
    storage.setItem('mlango-identity', 'nonsense');
    const user = await openBrowserIdentity({ storage });
    const { serialized } = await user.createInvocation(oracleDid);
    expect((await sessions({ authorization: `Bearer ${serialized}`, 'x-auth-type': 'ucan' })).status).toBe(200);
  });

  it('is the same user in another browser after its key is transferred', async () => {
    const here = await openBrowserIdentity({ storage: memoryStorage(), isExportable: true });
    const key = JSON.parse(JSON.stringify(await here.exportKey()));
    expect(key).toEqual({ kty: 'OKP', crv: 'Ed25519', d: expect.any(String), x: expect.any(String) });
    const storage = memoryStorage();
    const before = await openBrowserIdentity({ storage, name: 'there' });
    for (const wrong of [null, {}, 'x', { ...key, d: 'x' }, { ...key, crv: 'P-256' }, { ...key, d: key.x }]) {
      await expect(importBrowserIdentity(wrong, { storage, name: 'there' })).rejects.toThrow(/key/);
    }
    expect((await openBrowserIdentity({ storage, name: 'there' })).did).toBe(before.did);
    await importBrowserIdentity(key, { storage, name: 'there' });
    const there = await openBrowserIdentity({ storage, name: 'there' });
    expect(there.did).toBe(here.did);
    const { serialized } = await there.createInvocation(oracleDid);
    expect((await sessions({ authorization: `Bearer ${serialized}`, 'x-auth-type': 'ucan' })).status).toBe(200);
  });

  it('never creates the same token twice', async () => {
    const user = await openBrowserIdentity({ storage: memoryStorage(), nowMs: () => 1_800_000_000_000 });
    const [one, two] = [await user.createInvocation(oracleDid), await user.createInvocation(oracleDid)];
    expect(one.serialized).not.toBe(two.serialized);
    expect(one.expiresAt).toBe(1_800_000_300_000);
  });
});
