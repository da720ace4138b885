import type { Attack } from './attack.js';
import { alice, type Block, bob, carol, mallory, NOW, token, tokenOf, USE_ORACLE, ucanBlock } from './forge.js';

/** Well-formed tokens with claims that must be refused. */
export async function overreaching(): Promise<Attack[]> {
  const grant = (att: readonly object[], more: object = {}) =>
    ucanBlock({ signer: bob, audience: alice.did, att, ...more });
  const on = async (...proofs: Promise<Block>[]) => token({ prf: await Promise.all(proofs) });
  return [
    { name: 'another audience', token: await token({ audience: bob.did }), code: 'wrong_audience', ucanto: 'accepts' },
    {
      name: 'two capabilities',
      token: await token({ att: [USE_ORACLE, { can: 'x/y', with: 'ixo:other' }] }),
      code: 'wrong_capability',
      ucanto: 'accepts',
    },
    { name: 'no expiry', token: await token({ exp: null }), code: 'no_expiry', ucanto: 'accepts' },
    {
      name: 'an expiry in ten years',
      token: await token({ exp: NOW + 315_360_000 }),
      code: 'ttl_too_long',
      ucanto: 'accepts',
    },
    {
      name: 'an expiry a second too far ahead',
      token: await token({ exp: NOW + 901 }),
      code: 'ttl_too_long',
      ucanto: 'accepts',
    },
    { name: 'an expiry that is now', token: await token({ exp: NOW }), code: 'expired', ucanto: 'refuses' },
    {
      name: 'a beginning in the future',
      token: await token({ nbf: NOW + 5 }),
      code: 'not_yet_valid',
      ucanto: 'refuses',
    },
    {
      name: 'another resource under the same scheme',
      token: await token({ att: [{ can: '*', with: 'ixo:oracle2' }] }),
      code: 'wrong_resource',
      ucanto: 'accepts',
    },
    {
      name: 'a resource with a star',
      token: await token({ att: [{ can: '*', with: 'ixo:*' }] }),
      code: 'wrong_resource',
      ucanto: 'accepts',
    },
    {
      name: 'everything there is',
      token: await token({ att: [{ can: '*', with: 'ucan:*' }] }),
      code: 'unsupported',
      ucanto: 'refuses',
    },
    {
      name: 'a caveat',
      token: await token({ att: [{ ...USE_ORACLE, nb: { only: 'reading' } }] }),
      code: 'wrong_capability',
      ucanto: 'accepts',
    },
    {
      name: 'a lesser ability',
      token: await token({ att: [{ can: 'oracle/read', with: 'ixo:oracle' }] }),
      code: 'wrong_capability',
      ucanto: 'refuses',
    },
    {
      name: 'a grant of a prefix without a boundary',
      token: await on(grant([{ can: '*', with: 'ixo:or*' }])),
      code: 'not_authorized',
      ucanto: 'accepts',
    },
    {
      name: 'a grant of everything its issuer has',
      token: await on(grant([{ can: '*', with: 'ucan:*' }])),
      code: 'unsupported',
      ucanto: 'accepts',
    },
    {
      name: 'a grant under a caveat',
      token: await on(grant([{ ...USE_ORACLE, nb: { only: 'reading' } }])),
      code: 'not_authorized',
      ucanto: 'accepts',
    },
    {
      name: 'a grant of a lesser ability',
      token: await on(grant([{ can: 'oracle/*', with: 'ixo:oracle' }])),
      code: 'not_authorized',
      ucanto: 'refuses',
    },
    {
      name: 'a grant to another audience',
      token: await on(ucanBlock({ signer: bob, audience: carol.did })),
      code: 'not_authorized',
      ucanto: 'refuses',
    },
    {
      name: 'a grant that has expired',
      token: await on(grant([USE_ORACLE], { exp: NOW - 1 })),
      code: 'not_authorized',
      ucanto: 'refuses',
    },
    {
      name: 'an unsigned grant',
      token: await on(ucanBlock({ signer: { ...mallory, did: bob.did }, audience: alice.did })),
      code: 'not_authorized',
      ucanto: 'refuses',
    },
    {
      name: 'a grant that is not enclosed',
      token: tokenOf(await ucanBlock({ prf: [await grant([USE_ORACLE])] })),
      code: 'malformed',
      ucanto: 'refuses',
    },
    {
      name: 'a grant of what its issuer was granted less of',
      token: await narrowed(),
      code: 'not_authorized',
      ucanto: 'refuses',
    },
  ];
}

/** Carol grants Bob to read; Bob grants Alice everything; Alice invokes it. */
async function narrowed(): Promise<string> {
  const reading = await ucanBlock({
    signer: carol,
    audience: bob.did,
    att: [{ can: 'oracle/read', with: 'ixo:oracle' }],
  });
  const all = await ucanBlock({ signer: bob, audience: alice.did, prf: [reading] });
  return tokenOf(await ucanBlock({ prf: [all] }), [reading, all]);
}
