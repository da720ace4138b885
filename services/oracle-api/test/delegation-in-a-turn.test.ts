import { mintDelegation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import { ToolError } from '../src/plugins/api/plugin-tool.js';
import { authOf, listening, type Service } from '../src/sockets/sockets.fixture.js';
import { oracle } from './app.fixture.js';
import { type PublishedClient, publishedClient, textOf } from './published-client.fixture.js';

const noticeText = /authorise this oracle in your app.*POST \/delegation/s;
const signer = signerFromSeed(Buffer.alloc(32, 'a'));
const capability = { can: 'store/add', with: signer.did } as const;

/** A tool that needs the user's delegation. */
const storePlugin = testPlugin('store', {
  getTools: () => [
    {
      name: 'save',
      description: 'Saves at another service',
      inputSchema: { type: 'object' },
      execute: async (_args, { ucan }) => {
        const minted = await ucan.mintInvocation({ capability, origin: 'https://store.example' });
        if (!minted.ok) throw new ToolError(`not saved: ${minted.code}`);
        return 'saved';
      },
    },
  ],
});

let service: Service;
let client: PublishedClient;
beforeAll(async () => {
  service = await listening({ plugins: [storePlugin] });
  client = publishedClient(service.base, await authOf('a'));
});
afterAll(() => service.close());

const saves = async (by: PublishedClient, sessionId: string) =>
  textOf(await by.stream(sessionId, { message: 'Use the tool save' }));

describe('a turn that needs a delegation', () => {
  it('explains the authorisation once in six hours over all sessions, separately for each user', async () => {
    const [first, second] = [await client.newSession(), await client.newSession()];
    expect(await saves(client, first)).toMatch(noticeText);
    const { messages } = await client.call<{ messages: { content: string }[] }>('GET', `/messages/${first}`);
    expect(messages.at(-1)?.content).toMatch(noticeText);
    for (const sessionId of [first, second]) expect(await saves(client, sessionId)).not.toMatch(noticeText);
    const baraka = publishedClient(service.base, await authOf('b'));
    expect(await saves(baraka, await baraka.newSession())).toMatch(noticeText);
  });

  it('finds the stored delegation until it is deleted', async () => {
    const sessionId = await client.newSession();
    const raw = await mintDelegation({ signer, audience: oracle.did, capabilities: [capability] });
    const claims = { raw, issuer: signer.did, audience: oracle.did, expiration: null };
    const stored = await client.call<{ ok: boolean; expiration: number }>('POST', '/delegation', claims);
    expect(stored).toEqual({ ok: true, expiration: expect.any(Number) });
    expect(stored.expiration).toBeGreaterThan(Date.now() / 1000);
    expect(await client.call('GET', '/delegation')).toEqual({ authorized: true, expiration: stored.expiration });
    // The service is unavailable; only the delegation was found.
    expect(await saves(client, sessionId)).toContain('not saved: unavailable');
    expect(await client.call('DELETE', '/delegation')).toEqual({ ok: true });
    expect(await client.call('GET', '/delegation')).toEqual({ authorized: false });
    expect(await saves(client, sessionId)).toContain('not saved: missing');
  });
});
