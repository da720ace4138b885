import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUcanAuth, type DidResolver } from '../src/auth.js';
import { keyOfDid } from '../src/dids/did-key.js';
import {
  type Capability,
  mintDelegation,
  mintInvocation,
  signerFromSeed,
  type UcanSigner,
} from '../src/mint/minting.js';
import { NOW, ORACLE } from './forge.js';

const people = Array.from({ length: 5 }, (_, index) => {
  const seed = `${index + 1}`.repeat(64).slice(0, 64);
  return { key: signerFromSeed(seed), ixo: signerFromSeed(seed, `did:ixo:ixo1person${index}`) };
});

const chain: DidResolver = {
  method: 'ixo',
  resolve: async (did) => ({
    ok: true,
    keys: people.filter(({ ixo }) => ixo.did === did).flatMap(({ key }) => keyOfDid(key.did) ?? []),
  }),
  forget: () => {},
};

const facts = fc.array(
  fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '/' && key !== '__proto__' && key !== 'asCID'),
    fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean(), fc.constant(null)),
  ),
  { maxLength: 2 },
);
const otherCapability: fc.Arbitrary<Capability> = fc.record({
  can: fc.constantFrom('store/add', 'store/*', 'mail/send/now', '*'),
  with: fc.constantFrom('ixo:box', 'did:ixo:entity:x', 'https://example.com/a', 'ixo:oracle/other'),
});
const hop = fc.record({
  isIxo: fc.boolean(),
  before: fc.array(otherCapability, { maxLength: 2 }),
  after: fc.array(otherCapability, { maxLength: 2 }),
  grant: fc.constantFrom('ixo:oracle', 'ixo:*'),
  nonce: fc.string({ minLength: 1, maxLength: 12 }),
  facts,
});

type Hop = typeof hop extends fc.Arbitrary<infer T> ? T : never;

/** A chain of delegations of the use of the oracle, and its last holder. */
async function handOn(
  hops: readonly Hop[],
): Promise<{ readonly holder: UcanSigner; readonly proofs: readonly string[] }> {
  const signers = hops.map(({ isIxo }, index) => personAt(index, isIxo));
  const last = personAt(hops.length, false);
  let proofs: readonly string[] = [];
  let resource = 'ixo:*';
  for (const [index, { before, after, grant, nonce, facts: hopFacts }] of hops.entries()) {
    resource = resource === 'ixo:oracle' ? resource : grant;
    const signer = signers[index] ?? last;
    const audience = (signers[index + 1] ?? last).did;
    const capabilities: [Capability, ...Capability[]] = [{ can: '*', with: resource }, ...after];
    const all = before.length > 0 ? ([...before, ...capabilities] as [Capability, ...Capability[]]) : capabilities;
    proofs = [
      await mintDelegation({
        signer,
        audience,
        capabilities: all,
        proofs,
        nonce,
        facts: hopFacts,
        expiresAt: NOW + 3600,
      }),
    ];
  }
  return { holder: last, proofs };
}

function personAt(index: number, isIxo: boolean): UcanSigner {
  const person = people[index];
  if (person === undefined) throw new RangeError('more hops than people');
  return isIxo ? person.ixo : person.key;
}

describe('valid invocations', () => {
  it('of any allowed shape are accepted as their issuer', async () => {
    const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW, resolvers: [chain] });
    await fc.assert(
      fc.asyncProperty(
        fc.array(hop, { maxLength: 4 }).filter((hops) => hops.filter(({ isIxo }) => isIxo).length <= 3),
        facts,
        fc.integer({ min: 1, max: 900 }),
        async (hops, tokenFacts, seconds) => {
          const { holder, proofs } = await handOn(hops);
          const text = await mintInvocation({
            signer: holder,
            audience: ORACLE,
            proofs,
            facts: tokenFacts,
            expiresAt: NOW + seconds,
          });
          fc.pre(text.length <= 8192);
          expect(await auth.invocation(text)).toMatchObject({
            ok: true,
            result: { issuer: holder.did, expiresAt: NOW + seconds },
          });
          const urlSafe = text.replaceAll('+', '-').replaceAll('/', '_');
          expect((await auth.invocation(urlSafe)).ok).toBe(true);
          expect((await auth.invocation(urlSafe.replaceAll('=', ''))).ok).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
