import { alice, type Block, bob, carol, NOW, tokenOf, USE_ORACLE, ucanBlock } from './forge.js';

/** Good invocations of the shapes there are, with the DID they prove. Deterministic. */
export async function honestTokens() {
  const accepted = { ok: true, verdict: { issuer: alice.did } };
  const grant = await ucanBlock({ signer: bob, audience: alice.did, exp: NOW + 86_400 });
  const chain = await chainOf(3);
  const sixes = Array.from({ length: 5 }, (_, index) => ({ can: 'store/add', with: `ixo:box/${index}` }));
  const many = await chainOf(3, [...sixes, USE_ORACLE]);
  const family = await ucanBlock({ signer: bob, audience: alice.did, att: [{ can: '*', with: 'ixo:*' }] });
  const shapes: readonly (readonly [string, string])[] = [
    ['no proofs', tokenOf(await ucanBlock({}))],
    [
      'a nonce, facts and a beginning',
      tokenOf(await ucanBlock({ nnc: 'n', fct: [{ a: [1, 'two', null, true, 0.5] }], nbf: NOW })),
    ],
    ['empty caveats', tokenOf(await ucanBlock({ att: [{ ...USE_ORACLE, nb: {} }] }))],
    ['one proof', tokenOf(await ucanBlock({ prf: [grant] }), [grant])],
    ['three hops', tokenOf(await ucanBlock({ prf: chain.slice(-1) }), chain)],
    ['three hops of six capabilities', tokenOf(await ucanBlock({ prf: many.slice(-1) }), many)],
    ['a grant of a family of resources', tokenOf(await ucanBlock({ prf: [family] }), [family])],
  ];
  return shapes.map(([name, token]) => ({ kind: 'honest', name, token, expected: accepted }));
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
