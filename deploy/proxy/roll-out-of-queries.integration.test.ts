import { randomBytes } from 'node:crypto';
import { startNodeProgram } from '@mlango/test-services/program';
import { mintDelegation, mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothBuilds, canRollOut } from './both-builds.fixture.js';

const gateway = signerFromSeed(randomBytes(32));
const client = signerFromSeed(randomBytes(32));
const capability = { can: 'proto/query', with: gateway.did } as const;
const paths = [
  '/proto/token/params',
  '/proto/entity/did:ixo:entity:e0001',
  '/proto/claims/claims?pagination.limit=2',
  '/proto/claims/claims?pagination.limit=2&height=90',
  '/proto/no/such/path',
];

describe.skipIf(!canRollOut)('queries while two builds serve', { timeout: 120_000 }, () => {
  let builds: Awaited<ReturnType<typeof bothBuilds>>;
  let two: Awaited<ReturnType<typeof builds.sideBySide>>;
  beforeAll(async () => {
    const node = await startNodeProgram();
    builds = await bothBuilds('proto-gateway', {
      GRPC_TARGETS: node.address,
      GATEWAY_AUTH: 'ucan',
      GATEWAY_DID: gateway.did,
      UCAN_SINGLE_USE: 'true',
      METRICS_TOKEN: randomBytes(32).toString('hex'),
      PROTO_SHARED_CACHE_BYTES: '10000000',
    });
    two = await builds.sideBySide();
  });
  afterAll(() => builds.end());

  const given = () => mintDelegation({ signer: gateway, audience: client.did, capabilities: [capability] });
  const tokenOf = (proof: string) =>
    mintInvocation({ signer: client, audience: gateway.did, capability, proofs: [proof] });
  const show = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
  const ask = (place: number, path: string, token: string) =>
    fetch(`http://${two[place % 2]?.address}${path}`, { headers: show(token) });

  it.each(paths)('answer %s alike', async (path) => {
    const proof = await given();
    const replies = await Promise.all(
      [0, 1].map(async (place) => {
        const reply = await ask(place, path, await tokenOf(proof));
        return { status: reply.status, type: reply.headers.get('content-type'), body: await reply.text() };
      }),
    );
    expect(replies[1]).toEqual(replies[0]);
  });

  it.each([0, 1])('use a token once, and revoke it, for both (%d)', async (first) => {
    const proof = await given();
    const token = await tokenOf(proof);
    const statusAt = async (place: number, shown: string) => (await ask(place, '/proto/token/params', shown)).status;
    expect([await statusAt(first, token), await statusAt(first + 1, token)]).toEqual([200, 403]);
    expect(await statusAt(first + 1, await tokenOf(proof))).toBe(200);
    const revoked = await fetch(`http://${two[first]?.address}/revocations`, {
      method: 'POST',
      headers: { ...show(await tokenOf(proof)), 'content-type': 'application/json' },
      body: JSON.stringify({
        token: await mintRevocation({ signer: gateway, audience: gateway.did, token: proof }),
      }),
    });
    expect(revoked.status).toBe(204);
    for (const place of [0, 1]) expect(await statusAt(place, await tokenOf(proof))).toBe(403);
  });
});
