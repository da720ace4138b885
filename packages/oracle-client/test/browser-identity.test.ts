import { createTestOracle, type TestOracle } from '@mlango/oracle-api/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowserIdentity } from '../src/browser-identity.js';

let service: TestOracle;
beforeAll(async () => {
  service = await createTestOracle();
});
afterAll(() => service.close());

/** What a browser without Ed25519 keeps seeds in. */
function memoryStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const statusOf = async (headers: Record<string, string>) =>
  (await service.inject({ url: '/sessions', headers })).statusCode;

describe('the identity of a browser', () => {
  it('makes invocations and delegations that an oracle accepts as those of one user', async () => {
    const user = await openBrowserIdentity({ storage: memoryStorage() });
    const invocation = await user.createInvocation(service.oracle.did);
    const delegation = await user.createDelegation(service.oracle.did);
    const invoked = { authorization: `Bearer ${invocation.serialized}`, 'x-auth-type': 'ucan' };
    const delegated = { 'x-ucan-delegation': delegation.serialized };
    const made = await service.inject({ method: 'POST', url: '/sessions', headers: invoked });
    expect(made.statusCode).toBe(201);
    const listed = await service.inject({ url: '/sessions', headers: delegated });
    expect(listed.json()).toMatchObject({
      total: 1,
      sessions: [{ sessionId: made.json<{ sessionId: string }>().sessionId }],
    });
    expect(invocation.expiresAt - Date.now()).toBeLessThanOrEqual(300_000);
    expect(delegation.expiresAt - Date.now()).toBeGreaterThan(6 * 86_400_000);
  });

  it('is the same user again, until it is forgotten', async () => {
    const storage = memoryStorage();
    const first = await openBrowserIdentity({ storage });
    expect((await openBrowserIdentity({ storage })).did).toBe(first.did);
    expect((await openBrowserIdentity({ storage, name: 'other' })).did).not.toBe(first.did);
    await first.forget();
    expect((await openBrowserIdentity({ storage })).did).not.toBe(first.did);
  });

  it('takes a key of its own where something else lies in the storage', async () => {
    const storage = memoryStorage();
    storage.setItem('mlango-identity', 'nonsense');
    const user = await openBrowserIdentity({ storage });
    const { serialized } = await user.createInvocation(service.oracle.did);
    expect(await statusOf({ authorization: `Bearer ${serialized}`, 'x-auth-type': 'ucan' })).toBe(200);
  });

  it('never makes the same token twice', async () => {
    const user = await openBrowserIdentity({ storage: memoryStorage(), nowMs: () => 1_800_000_000_000 });
    const [one, two] = [
      await user.createInvocation(service.oracle.did),
      await user.createInvocation(service.oracle.did),
    ];
    expect(one.serialized).not.toBe(two.serialized);
    expect(one.expiresAt).toBe(1_800_000_300_000);
  });
});
