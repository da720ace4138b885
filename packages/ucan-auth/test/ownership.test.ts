import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { createDownstream } from '../src/mint/downstream.js';
import {
  type Capability,
  mintDelegation,
  mintInvocation,
  signerFromSeed,
  type UcanSigner,
} from '../src/mint/minting.js';
import { alice, bob, mallory, NOW, ORACLE, token } from './forge.js';

const oracle = signerFromSeed('0c'.repeat(32), ORACLE);
const keyOracle = signerFromSeed('0c'.repeat(32));
const now = () => NOW;
const auth = createUcanAuth({ audiences: [ORACLE, keyOracle.did], now });
const refused = { ok: false, code: 'not_authorized' };

const delegate = (
  signer: UcanSigner,
  capabilities: [Capability, ...Capability[]],
  proofs: readonly string[] = [],
  audience = ORACLE,
) => mintDelegation({ signer, audience, capabilities, proofs, now });

const invoke = (signer: UcanSigner, capability: Capability, proofs: readonly string[] = []) =>
  mintInvocation({ signer, audience: ORACLE, capability, proofs, now });

const all = (resource: string): Capability => ({ can: '*', with: resource });

describe('a self-issued token for a resource of another DID', () => {
  const theirs = [
    `${alice.did}/box`,
    `${alice.did}`,
    `${ORACLE}/admin`,
    `ixo:oracle:${ORACLE}:mcp/files/read`,
    `https://boxes.example/${alice.did}`,
    'did:ixo:ixo1nobody/box',
  ];

  it.each(theirs)('grants nothing on %s', async (resource) => {
    const claimed = { can: 'box/read', with: resource };
    expect(await auth.grant(await delegate(mallory, [all(resource)]), claimed)).toEqual(refused);
    expect(await auth.delegation(await delegate(mallory, [all(resource)]))).toEqual(refused);
  });

  it.each(theirs)('does nothing on %s', async (resource) => {
    const claimed = { can: 'box/read', with: resource };
    expect(await auth.authorize(await invoke(mallory, claimed), 'box/read', resource)).toEqual(refused);
    const fromBob = await delegate(bob, [all(resource)], [], mallory.did);
    expect(await auth.authorize(await invoke(mallory, claimed, [fromBob]), 'box/read', resource)).toEqual(refused);
  });

  it.each(['ixo:*', 'ixo:oracle:*', `ixo:oracle:${ORACLE}:*`])('does not grant it by the family %s', async (family) => {
    const claimed = { can: 'mcp/call', with: `ixo:oracle:${ORACLE}:mcp/files/read` };
    expect(await auth.grant(await delegate(mallory, [all(family)]), claimed)).toEqual(refused);
    const fromBob = await delegate(bob, [all(family)], [], mallory.did);
    expect(await auth.authorize(await invoke(mallory, claimed, [fromBob]), claimed.can, claimed.with)).toEqual(refused);
  });

  it('is not granted by another capability of the token', async () => {
    const [box, open] = [all(`${alice.did}/box`), all(`${alice.did}/open`)];
    const proofs = [await delegate(bob, [box], [], mallory.did), await delegate(alice, [open], [], mallory.did)];
    const text = await delegate(mallory, [box, open], proofs);
    expect(await auth.grant(text, box)).toEqual(refused);
    expect(await auth.grant(text, open)).toMatchObject({ result: { capabilities: [open] } });
    expect(await auth.delegation(text)).toMatchObject({ result: { capabilities: [open] } });
  });

  it('does not own a resource that names its issuer second', async () => {
    const resource = `${alice.did}/shared/${mallory.did}`;
    expect(await auth.grant(await delegate(mallory, [all(resource)]), all(resource))).toEqual(refused);
  });
});

describe('a chain', () => {
  it('that starts at the owner grants the delegated capabilities, at any position of the owner’s DID', async () => {
    const resource = `ixo:oracle:${keyOracle.did}:mcp/files/read`;
    const first = await delegate(keyOracle, [all(`ixo:oracle:${keyOracle.did}:*`)], [], alice.did);
    const second = await delegate(alice, [all(resource)], [first]);
    expect(await auth.grant(second, { can: 'mcp/call', with: resource })).toMatchObject({ ok: true });
  });

  it('for a shared resource starts with any issuer', async () => {
    const own = await auth.grant(await delegate(alice, [all('ixo:memory')]), all('ixo:memory'));
    expect(own.ok && own.result.path.map(({ issuer }) => issuer)).toEqual([alice.did]);
    const lent = await delegate(bob, [all('ixo:memory')], [], alice.did);
    const handedOn = await auth.grant(await delegate(alice, [all('ixo:memory')], [lent]), all('ixo:memory'));
    expect(handedOn.ok && handedOn.result.path.map(({ issuer }) => issuer)).toEqual([alice.did, bob.did]);
  });
});

describe('a result', () => {
  it('lists the verified capabilities only', async () => {
    const [own, shared] = [{ can: 'box/*', with: `${alice.did}/*` }, all('ixo:memory')];
    const claimed = { can: 'box/read', with: `${alice.did}/box` };
    const text = await delegate(alice, [own, all(`${ORACLE}/admin`), shared]);
    expect(await auth.grant(text, claimed)).toMatchObject({ result: { capabilities: [claimed] } });
    expect(await auth.delegation(text)).toMatchObject({ result: { capabilities: [own, shared] } });
    expect(await auth.delegationIdentity(text)).toMatchObject({ result: { issuer: alice.did, capabilities: [] } });
  });

  it('names the issuer for an identity proof on any resource', async () => {
    const text = await delegate(mallory, [all(`${ORACLE}/admin`)]);
    expect(await auth.delegationIdentity(text)).toMatchObject({ ok: true, result: { issuer: mallory.did } });
  });
});

describe('a configured resource that names a DID', () => {
  it('accepts only issuers that its owner granted it to', async () => {
    const resource = `${keyOracle.did}/chat`;
    const guarded = createUcanAuth({ audiences: [ORACLE], resources: [resource], now });
    expect(await guarded.invocation(await invoke(mallory, all(resource)))).toEqual(refused);
    const invited = await delegate(keyOracle, [all(resource)], [], alice.did);
    expect((await guarded.invocation(await invoke(alice, all(resource), [invited]))).ok).toBe(true);
  });
});

describe('an invocation that a service mints for a user', () => {
  const audience = 'did:web:boxes.example';
  const services = { read: async () => ({ ok: true, did: audience }) as const };
  const downstream = createDownstream({ auth, signers: [oracle, keyOracle], services, now });
  const otherService = createUcanAuth({ audiences: [audience], now });
  const call = { user: mallory.did, origin: 'https://boxes.example' };

  it.each([`${keyOracle.did}/*`, `${keyOracle.did}/box`, `ixo:oracle:${keyOracle.did}:*`])(
    'is not minted for a resource of the service by an unrelated delegation on %s',
    async (resource) => {
      const delegation = await delegate(mallory, [all(resource)], [], keyOracle.did);
      const capability = { can: 'box/empty', with: resource.replace('*', 'box') };
      expect(await downstream({ ...call, delegation, capability })).toEqual(refused);
      // The other service refuses the same claim without a proof.
      const forced = await token({
        signer: mallory,
        audience,
        att: [capability],
      });
      expect(await otherService.authorize(forced, capability.can, capability.with)).toEqual(refused);
    },
  );

  it.each(['ixo:*', 'ixo:oracle:*', 'https://boxes.example/*'])(
    'is not minted for the family %s, which may contain resources of the service',
    async (resource) => {
      const delegation = await delegate(mallory, [all(resource)], [], keyOracle.did);
      expect(await downstream({ ...call, delegation, capability: all(resource) })).toEqual({
        ok: false,
        code: 'wrong_resource',
      });
    },
  );

  it('is minted for a resource of the service if the user’s chain starts at the service', async () => {
    const capability = { can: 'box/read', with: `${keyOracle.did}/box` };
    const invited = await delegate(keyOracle, [capability], [], alice.did);
    const delegation = await delegate(alice, [capability], [invited], keyOracle.did);
    const minted = await downstream({ ...call, user: alice.did, delegation, capability });
    expect(minted).toMatchObject({ ok: true, audience });
    const text = minted.ok ? minted.token : '';
    expect((await otherService.authorize(text, capability.can, capability.with)).ok).toBe(true);
  });
});
