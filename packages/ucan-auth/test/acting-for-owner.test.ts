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

describe('who acts for another', () => {
  it('is that one to the service, where the service takes that ability, with both named', async () => {
    const token = await invoke(bob, [await grant(bob)]);
    const caller = {
      did: alice.did,
      actor: bob.did,
      via: 'invocation',
      path: [{ issuer: bob.did }, { issuer: alice.did }],
    };
    expect(await show(token, speak)).toMatchObject({ ok: true, caller });
  });

  it('is nobody where it does not', async () => {
    const token = await invoke(bob, [await grant(bob)]);
    expect(await show(token)).toMatchObject(refused);
    expect(await show(token, 'oracle/delete')).toMatchObject(refused);
    expect(await auth.handshake({ invocation: token })).toMatchObject({ ok: false });
  });

  it.each<[string, () => Promise<string>]>([
    ['no grant', async () => invoke(mallory, [])],
    ['a grant to somebody else', async () => invoke(mallory, [await grant(bob)])],
    ['a grant by somebody else', async () => invoke(mallory, [await grant(mallory, undefined, bob)])],
    ['a grant of something else', async () => invoke(bob, [await grant(bob, { can: 'oracle/read', with: alice.did })])],
    [
      'a grant with a caveat',
      async () => invoke(bob, [await grant(bob, { can: speak, with: alice.did, nb: { a: 1 } })]),
    ],
    [
      'what lies below the DID',
      async () =>
        invoke(bob, [await grant(bob, { can: '*', with: `${alice.did}/*` })], { can: speak, with: `${alice.did}/x` }),
    ],
    ['what is nobody’s', async () => invoke(bob, [], { can: speak, with: 'ixo:oracle' })],
  ])('is not whoever shows %s', async (_, make) => expect(await show(await make(), speak)).toMatchObject(refused));

  it('is nobody any more once the grant was taken back', async () => {
    const given = await grant(bob);
    const token = await invoke(bob, [given]);
    expect(await show(token, speak)).toMatchObject({ ok: true });
    const taken = await auth.revoke(await mintRevocation({ signer: alice, audience: ORACLE, token: given, now }));
    expect(taken.ok).toBe(true);
    expect(await show(token, speak)).toMatchObject(refused);
  });
});
