import { alice, bob, mallory, NOW, tokenOf, USE_ORACLE, ucanBlock } from './forge.js';
import { grantedBy, refusedAs, type Vector } from './vector.js';

/** An issuer on the path can revoke every UCAN on it; other DIDs cannot. */
export async function revocation(): Promise<Vector[]> {
  const grant = await ucanBlock({ signer: bob, audience: alice.did, exp: NOW + 86_400 });
  const unused = await ucanBlock({ signer: bob, audience: alice.did, att: [{ can: 'a/b', with: 'ixo:c' }] });
  const use = await ucanBlock({ prf: [grant, unused] });
  const token = tokenOf(use, [grant, unused]);
  const [grantCid, useCid, unusedCid] = [grant, use, unused].map(({ cid }) => cid.toString());
  const good = grantedBy(alice.did, USE_ORACLE);
  const cases: readonly (readonly [string, string | undefined, string, Vector['expected']])[] = [
    ['a proof, by its issuer', grantCid, bob.did, refusedAs('revoked')],
    ['the token itself, by its issuer', useCid, alice.did, refusedAs('revoked')],
    ['the token itself, by an issuer further up', useCid, bob.did, refusedAs('revoked')],
    ['a proof, by a DID that is not an issuer on the path', grantCid, mallory.did, good],
    ['a proof that the path does not need', unusedCid, bob.did, good],
  ];
  return cases.map(([name, cid = '', issuer, expected]) => {
    return { name: `revoked: ${name}`, token, ask: 'invocation', revocations: [{ cid, issuer }], expected };
  });
}
