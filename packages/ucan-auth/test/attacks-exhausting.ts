import { signerFromSeed } from '../src/mint/minting.js';
import type { Attack } from './attack.js';
import {
  alice,
  type Block,
  blockOf,
  bob,
  carol,
  cidOf,
  mallory,
  NOW,
  ORACLE,
  token,
  tokenOf,
  USE_ORACLE,
  ucanBlock,
} from './forge.js';

/** Tokens that are expensive to read. */
export async function exhausting(): Promise<Attack[]> {
  // Each delegates to the same issuer, so every step of the circle is aligned and signed.
  const labelled = cidOf(Buffer.from('a label that no bytes have'));
  const first = await ucanBlock({ audience: alice.did, prf: [{ cid: labelled, bytes: new Uint8Array() }] });
  const second = { cid: labelled, bytes: (await ucanBlock({ audience: alice.did, prf: [first] })).bytes };
  const root = await ucanBlock({ prf: [first] });
  const grant = await ucanBlock({ signer: bob, audience: alice.did });
  const many = [0, 1, 2, 3, 4].map((index) => ucanBlock({ signer: bob, audience: alice.did, nnc: `${index}` }));
  const five = await Promise.all(many);
  const attest = { can: 'ucan/attest', with: ORACLE, nb: { proof: grant.cid } };
  const attestations = await Promise.all(
    [0, 1, 2, 3].map((index) => ucanBlock({ signer: mallory, audience: alice.did, att: [attest], nnc: `${index}` })),
  );
  const everything = Array.from({ length: 21 }, () => USE_ORACLE);
  return [
    {
      name: 'a cycle of proofs through a forged CID',
      token: tokenOf(root, [first, second]),
      code: 'malformed',
      ucanto: 'endless',
    },
    {
      name: 'one proof named many times',
      token: tokenOf(await ucanBlock({ prf: [grant, grant, grant] }), [grant]),
      code: 'malformed',
      ucanto: 'accepts',
    },
    {
      name: 'more proofs than anybody needs',
      token: await token({ prf: five }),
      code: 'too_complex',
      ucanto: 'accepts',
    },
    { name: 'proofs that fan out at every step', token: await fanOut(), code: 'too_complex', ucanto: 'endless' },
    { name: 'a chain that is too long', token: await longChain(6), code: 'too_complex', ucanto: 'accepts' },
    {
      name: 'more capabilities than anybody needs',
      token: await token({ att: everything }),
      code: 'too_complex',
      ucanto: 'accepts',
    },
    {
      name: 'parallel attestations',
      token: await token({ signer: signerFromSeed('a1'.repeat(32), 'did:ixo:alice'), prf: attestations }),
      code: 'unsupported',
      ucanto: 'refuses',
    },
    {
      name: 'more looked-up issuers than the limit',
      token: await lookedUpIssuers(4),
      code: 'too_complex',
      ucanto: 'refuses',
    },
    {
      name: 'nesting without end',
      token: tokenOf(blockOf(Buffer.alloc(4000, 0x81))),
      code: 'malformed',
      ucanto: 'throws',
    },
    {
      name: 'nesting inside a fact',
      token: await token({ fct: [{ deep: nested(30) }] }),
      code: 'too_complex',
      ucanto: 'accepts',
    },
  ];
}

/** A token with issuers that are not did:key, each of which would cause a key lookup. */
export async function lookedUpIssuers(count: number): Promise<string> {
  const signers = Array.from({ length: count }, (_, index) =>
    signerFromSeed('66'.repeat(32), `did:ixo:nobody${index}`),
  );
  const [signer = mallory, ...others] = signers;
  const prf = others.map((other) => ucanBlock({ signer: other, audience: signer.did }));
  return token({ signer, prf: await Promise.all(prf) });
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

/** Four layers of two UCANs, each with the whole upper layer as proofs and many matching capabilities; the top has expired. */
async function fanOut(): Promise<string> {
  const att = Array.from({ length: 10 }, () => USE_ORACLE);
  let layer: Block[] = [];
  const all: Block[] = [];
  for (const [signer, audience, exp] of [
    [carol, bob, NOW - 1],
    [bob, bob, NOW + 300],
    [bob, bob, NOW + 300],
    [bob, alice, NOW + 300],
  ] as const) {
    const parts = { signer, audience: audience.did, att, exp, prf: layer };
    layer = await Promise.all(['0', '1'].map((nnc) => ucanBlock({ ...parts, nnc })));
    all.push(...layer);
  }
  return tokenOf(await ucanBlock({ prf: layer }), all);
}

async function longChain(length: number): Promise<string> {
  const blocks: Block[] = [];
  for (let index = 1; index < length; index++) {
    const audience = index === length - 1 ? alice.did : bob.did;
    blocks.push(await ucanBlock({ signer: bob, audience, prf: blocks.slice(-1), nnc: `${index}` }));
  }
  return tokenOf(await ucanBlock({ prf: blocks.slice(-1) }), blocks);
}
