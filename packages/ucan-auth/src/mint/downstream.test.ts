import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, bob, mallory, NOW, ORACLE } from '../../test/forge.js';
import { isLoopback, startStandIn } from '../../test/service-stand-in.js';
import { createUcanAuth } from '../auth.js';
import { decodeToken } from '../decode/decode-token.js';
import { createServiceDids, type ServiceDids } from '../dids/service-did.js';
import { memoryReplayStore, memoryRevocationStore } from '../stores/memory-stores.js';
import { createDownstream, type DownstreamCall } from './downstream.js';
import { type Capability, mintDelegation, type signerFromSeed } from './minting.js';

const now = () => NOW;
const oracle = bob;
const box = `${alice.did}/box`;
const add = { can: 'store/add', with: `${box}/1` };
const granted = { can: 'store/*', with: `${box}/*`, nb: { size: 10 } };

let service: Awaited<ReturnType<typeof startStandIn>>;
let services: ServiceDids;
beforeAll(async () => {
  service = await startStandIn((_, reply) => reply.end(JSON.stringify({ id: service.did })));
  services = createServiceDids({ isAllowedAddress: isLoopback, ca: service.ca });
});
afterAll(async () => {
  await services.close();
  await service.close();
});

it('an invocation for a service with a known DID reads no service document', async () => {
  const auth = createUcanAuth({ audiences: [oracle.did], now });
  const requests: string[] = [];
  const read = async (from: string) => {
    requests.push(from);
    return { ok: false, code: 'unavailable' } as const;
  };
  const invoke = createDownstream({ auth, signers: [oracle], services: { read }, now });
  const capability = { can: 'oracle/converse', with: alice.did };
  const delegation = await delegationOf([{ can: 'oracle/*', with: alice.did }]);
  const result = await invoke({ user: alice.did, delegation, capability, audience: mallory.did, lifetimeSeconds: 60 });
  expect(result).toMatchObject({ ok: true, audience: mallory.did, expiresAt: NOW + 60 });
  const other = createUcanAuth({ audiences: [mallory.did], now });
  const token = result.ok ? result.token : '';
  const { can } = capability;
  expect(await other.authorize(token, can, alice.did)).toMatchObject({
    result: { path: [{ issuer: oracle.did }, { issuer: alice.did }] },
  });
  expect(requests).toEqual([]);
});

async function delegationOf(
  capabilities: readonly [Capability, ...Capability[]],
  options: {
    signer?: ReturnType<typeof signerFromSeed>;
    audience?: string;
    expiresAt?: number;
    proofs?: string[];
  } = {},
) {
  return mintDelegation({ signer: alice, audience: oracle.did, expiresAt: NOW + 86_400, ...options, capabilities });
}

function oracleWith(clock = now) {
  const revocations = memoryRevocationStore(clock);
  const auth = createUcanAuth({ audiences: [oracle.did, ORACLE], revocations, now: clock });
  const invoke = createDownstream({ auth, signers: [oracle], services, now: clock });
  const call = (delegation: string, changes: Partial<DownstreamCall> = {}) =>
    invoke({
      user: alice.did,
      delegation,
      capability: { ...add, nb: { size: 10 } },
      origin: service.origin,
      ...changes,
    });
  return { revocations, call };
}

async function minted(result: ReturnType<ReturnType<typeof oracleWith>['call']>) {
  const outcome = await result;
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome;
}

describe('a downstream invocation', () => {
  it('is accepted by its service, exactly once for single use', async () => {
    const { token, audience } = await minted(oracleWith().call(await delegationOf([granted])));
    expect(audience).toBe(service.did);
    const receiver = createUcanAuth({ audiences: [service.did], replays: memoryReplayStore(now), now });
    const uses = await Promise.all(
      Array.from({ length: 5 }, () => receiver.authorize(token, add.can, add.with, { singleUse: true })),
    );
    expect(uses.filter((use) => use.ok)).toHaveLength(1);
    expect(uses.find((use) => !use.ok)).toEqual({ ok: false, code: 'replayed' });
    const otherService = createUcanAuth({ audiences: ['did:web:bank.example'], now });
    expect(await otherService.authorize(token, add.can, add.with)).toEqual({ ok: false, code: 'wrong_audience' });
  });

  it('has exactly the capability of the call and the delegation as its only proof', async () => {
    const delegation = await delegationOf([granted]);
    const { token, expiresAt } = await minted(oracleWith().call(delegation));
    const [decoded, proof] = [decodeToken(token), decodeToken(delegation)];
    if (!decoded.ok || !proof.ok) throw new Error('not read');
    const { root } = decoded.token;
    expect(root).toMatchObject({ issuer: oracle.did, audience: service.did, expiresAt: NOW + 300 });
    expect(root.capabilities).toEqual([{ ...add, nb: { size: 10 } }]);
    expect(root.proofs.map((ucan) => ucan.cid.toString())).toEqual([proof.token.root.cid.toString()]);
    expect(expiresAt).toBe(NOW + 300);
  });

  it('is never the same twice', async () => {
    const delegation = await delegationOf([granted]);
    const { call } = oracleWith();
    expect((await minted(call(delegation))).token).not.toBe((await minted(call(delegation))).token);
  });

  it('expires within an hour and not after its proofs', async () => {
    const { call } = oracleWith();
    const long = await delegationOf([granted]);
    expect((await minted(call(long, { lifetimeSeconds: 3600 }))).expiresAt).toBe(NOW + 3600);
    await expect(call(long, { lifetimeSeconds: 3601 })).rejects.toThrow(RangeError);
    await expect(call(long, { lifetimeSeconds: Number.NaN })).rejects.toThrow(RangeError);
    const short = await delegationOf([granted], { expiresAt: NOW + 20 });
    expect((await minted(call(short))).expiresAt).toBe(NOW + 20);
    const lent = await delegationOf([granted], { audience: mallory.did, expiresAt: NOW + 30 });
    const relent = await delegationOf([granted], { signer: mallory, proofs: [lent] });
    expect((await minted(call(relent, { user: mallory.did }))).expiresAt).toBe(NOW + 30);
  });

  it.each<[string, Partial<Capability>]>([
    ['another ability', { can: 'mail/send' }],
    ['the whole family', { can: '*' }],
    ['another resource', { with: `${alice.did}/boxes/1` }],
    ['a resource that climbs out', { with: `${box}/../mail` }],
    ['a value that the caveat forbids', { nb: { size: 11 } }],
    ['the grant without its caveat', { nb: {} }],
  ])('is not minted for %s', async (_, changes) => {
    const requests = service.requests.length;
    const capability = { ...add, nb: { size: 10 }, ...changes };
    expect(await oracleWith().call(await delegationOf([granted]), { capability })).toEqual({
      ok: false,
      code: 'not_authorized',
    });
    expect(service.requests).toHaveLength(requests);
  });

  it('is not minted if the delegation exceeds its proofs', async () => {
    const lent = await delegationOf([{ can: 'store/list', with: `${box}/*` }], { audience: mallory.did });
    const stretched = await delegationOf([granted], { signer: mallory, proofs: [lent] });
    expect(await oracleWith().call(stretched, { user: mallory.did })).toEqual({ ok: false, code: 'not_authorized' });
  });

  it('is minted if one of several capabilities covers it', async () => {
    const delegation = await delegationOf([{ can: 'mail/send', with: `${alice.did}/mail` }, granted]);
    expect((await oracleWith().call(delegation)).ok).toBe(true);
  });

  it('is not minted for a delegation of another issuer or to another audience', async () => {
    const { call } = oracleWith();
    expect(await call(await delegationOf([granted]), { user: mallory.did })).toEqual({
      ok: false,
      code: 'not_authorized',
    });
    expect(await call(await delegationOf([granted], { audience: mallory.did }))).toEqual({
      ok: false,
      code: 'wrong_audience',
    });
    expect(await call(await delegationOf([granted], { audience: ORACLE }))).toEqual({
      ok: false,
      code: 'wrong_audience',
    });
    expect(await call('nothing')).toEqual({ ok: false, code: 'malformed' });
  });

  it('is not minted after the delegation is revoked or expired', async () => {
    let time = NOW;
    const { call, revocations } = oracleWith(() => time);
    const delegation = await delegationOf([granted]);
    await minted(call(delegation));
    time = NOW + 86_400;
    expect(await call(delegation)).toEqual({ ok: false, code: 'expired' });
    time = NOW;
    const decoded = decodeToken(delegation);
    if (!decoded.ok) throw new Error('not read');
    const { cid, issuer, expiresAt } = decoded.token.root;
    await revocations.revoke({ cid: cid.toString(), issuer, expiresAt });
    expect(await call(delegation)).toEqual({ ok: false, code: 'revoked' });
  });

  it('is not minted for a service without a valid DID document', async () => {
    const { call } = oracleWith();
    expect(await call(await delegationOf([granted]), { origin: 'http://localhost' })).toEqual({
      ok: false,
      code: 'bad_origin',
    });
    const strict = createServiceDids();
    const auth = createUcanAuth({ audiences: [oracle.did], now });
    const invoke = createDownstream({ auth, signers: [oracle], services: strict, now });
    const toStandIn = { user: alice.did, delegation: await delegationOf([granted]), origin: service.origin };
    expect(await invoke({ ...toStandIn, capability: { ...add, nb: { size: 10 } } })).toEqual({
      ok: false,
      code: 'forbidden_address',
    });
    await strict.close();
  });

  it('is not minted if it exceeds the limits of a token', async () => {
    const wide = await delegationOf([{ ...granted, nb: { size: 10, note: 'x'.repeat(5000) } }]);
    const capability = { ...add, nb: { size: 10, note: 'x'.repeat(5000) } };
    expect(await oracleWith().call(wide, { capability })).toEqual({ ok: false, code: 'too_large' });
  });
});
