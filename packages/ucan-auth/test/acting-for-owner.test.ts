import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { INVALID_TEXT } from '../src/http/auth-outcome.js';
import {
  type Capability,
  mintDelegation,
  mintInvocation,
  mintRevocation,
  type UcanSigner,
} from '../src/mint/minting.js';
import { memoryRevocationStore } from '../src/stores/memory-stores.js';
import { alice, bob, mallory, NOW, ORACLE } from './forge.js';

const now = () => NOW;
const auth = createUcanAuth({ audiences: [ORACLE], now, revocations: memoryRevocationStore(now) });
const speak = 'oracle/converse';

const grant = (to: UcanSigner, capability: Capability = { can: speak, with: alice.did }, from: UcanSigner = alice) =>
  mintDelegation({ signer: from, audience: to.did, capabilities: [capability], now });
const invoke = (
  signer: UcanSigner,
  proofs: readonly string[],
  capability: Capability = { can: speak, with: alice.did },
) => mintInvocation({ signer, audience: ORACLE, capability, proofs, now });
const show = (token: string, onBehalfAbility?: string) =>
  auth.request({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' }, {}, onBehalfAbility);
const refused = { ok: false, failure: { status: 401, message: INVALID_TEXT } };

describe('a request on behalf of another DID', () => {
  it('has that DID as the caller and the issuer as the actor, if the route accepts the ability', async () => {
    const token = await invoke(bob, [await grant(bob)]);
    const caller = {
      did: alice.did,
      actor: bob.did,
      via: 'invocation',
      path: [{ issuer: bob.did }, { issuer: alice.did }],
    };
    expect(await show(token, speak)).toMatchObject({ ok: true, caller });
  });

  it('is refused if the route does not accept the ability', async () => {
    const token = await invoke(bob, [await grant(bob)]);
    expect(await show(token)).toMatchObject(refused);
    expect(await show(token, 'oracle/delete')).toMatchObject(refused);
    expect(await auth.handshake({ invocation: token })).toMatchObject({ ok: false });
  });

  it.each<[string, () => Promise<string>]>([
    ['no grant', async () => invoke(mallory, [])],
    ['a grant to another DID', async () => invoke(mallory, [await grant(bob)])],
    ['a grant by another DID', async () => invoke(mallory, [await grant(mallory, undefined, bob)])],
    ['a grant of something else', async () => invoke(bob, [await grant(bob, { can: 'oracle/read', with: alice.did })])],
    [
      'a grant with a caveat',
      async () => invoke(bob, [await grant(bob, { can: speak, with: alice.did, nb: { a: 1 } })]),
    ],
    [
      'resources below the DID',
      async () =>
        invoke(bob, [await grant(bob, { can: '*', with: `${alice.did}/*` })], { can: speak, with: `${alice.did}/x` }),
    ],
    ['a shared resource', async () => invoke(bob, [], { can: speak, with: 'ixo:oracle' })],
  ])('is refused with %s', async (_, make) => expect(await show(await make(), speak)).toMatchObject(refused));

  it('is refused after the grant is revoked', async () => {
    const given = await grant(bob);
    const token = await invoke(bob, [given]);
    expect(await show(token, speak)).toMatchObject({ ok: true });
    const taken = await auth.revoke(await mintRevocation({ signer: alice, audience: ORACLE, token: given, now }));
    expect(taken.ok).toBe(true);
    expect(await show(token, speak)).toMatchObject(refused);
  });
});
