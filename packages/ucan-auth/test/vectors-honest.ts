import type { Capability } from '../src/auth.js';
import { signerFromSeed } from '../src/mint/minting.js';
import { alice, type Block, bob, carol, NOW, tokenOf, USE_ORACLE, ucanBlock } from './forge.js';
import { grantedBy, type Vector } from './vector.js';

/** Signs with alice's key, as the account that lists it. */
export const account = signerFromSeed('a1'.repeat(32), 'did:ixo:ixo1alice');

/** Valid tokens of all shapes. */
export async function honest(): Promise<Vector[]> {
  const grant = await ucanBlock({ signer: bob, audience: alice.did, exp: NOW + 86_400 });
  const chain = await chainOf(3);
  const sixes = Array.from({ length: 5 }, (_, index) => ({ can: 'store/add', with: `ixo:box/${index}` }));
  const many = await chainOf(3, [...sixes, USE_ORACLE]);
  const family = await ucanBlock({ signer: bob, audience: alice.did, att: [{ can: '*', with: 'ixo:*' }] });
  const plain = tokenOf(await ucanBlock({}));
  const urlSafe = Buffer.from(plain, 'base64').toString('base64url');
  const box = { can: 'store/*', with: `${alice.did}/box` };
  const shared = { can: 'store/add', with: 'ixo:memory', nb: { size: 7 } };
  const delegation = tokenOf(await ucanBlock({ att: [box, shared], exp: NOW + 86_400 }));
  const use: readonly (readonly [string, string])[] = [
    ['no proofs', plain],
    ['base64url without padding', urlSafe],
    ['base64url with padding', urlSafe.padEnd(Math.ceil(urlSafe.length / 4) * 4, '=')],
    [
      'a nonce, facts and a beginning',
      tokenOf(await ucanBlock({ nnc: 'n', fct: [{ a: [1, 'two', null, true, 0.5] }], nbf: NOW })),
    ],
    ['one proof', tokenOf(await ucanBlock({ prf: [grant] }), [grant])],
    ['three hops', tokenOf(await ucanBlock({ prf: chain.slice(-1) }), chain)],
    ['three hops of six capabilities', tokenOf(await ucanBlock({ prf: many.slice(-1) }), many)],
    ['a grant of a family of resources', tokenOf(await ucanBlock({ prf: [family] }), [family])],
  ];
  const claimed: Capability = { can: 'store/add', with: box.with };
  return [
    ...use.map(([name, token]): Vector => {
      return { name, token, ask: 'invocation', expected: grantedBy(alice.did, USE_ORACLE) };
    }),
    {
      name: 'empty caveats',
      token: tokenOf(await ucanBlock({ att: [{ ...USE_ORACLE, nb: {} }] })),
      ask: 'invocation',
      expected: grantedBy(alice.did, { ...USE_ORACLE, nb: {} }),
    },
    {
      name: 'an account on the chain, by a key that its document lists',
      token: tokenOf(await ucanBlock({ signer: account })),
      ask: 'invocation',
      expected: grantedBy(account.did, USE_ORACLE),
    },
    {
      name: 'a use of what is one’s own',
      token: tokenOf(await ucanBlock({ att: [claimed] })),
      ask: 'authorize',
      capability: claimed,
      expected: grantedBy(alice.did, claimed),
    },
    {
      name: 'all that a delegation grants',
      token: delegation,
      ask: 'delegation',
      expected: grantedBy(alice.did, box, shared),
    },
    {
      name: 'a part of what a delegation grants',
      token: delegation,
      ask: 'grant',
      capability: claimed,
      expected: grantedBy(alice.did, claimed),
    },
    {
      name: 'the issuer of a delegation',
      token: delegation,
      ask: 'identity',
      expected: grantedBy(alice.did),
    },
  ];
}

async function chainOf(hops: number, att: readonly object[] = [USE_ORACLE]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let hop = 0; hop < hops; hop++) {
    const audience = hop === hops - 1 ? alice.did : bob.did;
    blocks.push(
      await ucanBlock({ signer: hop === 0 ? carol : bob, audience, att, exp: NOW + 3600, prf: blocks.slice(-1) }),
    );
  }
  return blocks;
}
