import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';
import { ORACLE, signerOf } from './ucan-tokens.js';

const USE_ORACLE = { can: '*', with: 'ixo:oracle' };
const LARGEST_FACT_CHARACTERS = 5600;

/** A kind of hostile token; `make` gives another one each time, so that none is known already. */
export interface HostileKind {
  readonly name: string;
  readonly make: () => Promise<string>;
}

/** The tokens that cost their reader most of all those there are. */
export function hostileKinds(): readonly HostileKind[] {
  const bombs = archiveBombs();
  let next = 0;
  return [
    { name: 'the largest text there may be', make: async () => randomBytes(6144).toString('base64') },
    {
      name: 'the largest UCAN there may be, badly signed',
      make: () => mint(forger(0), { facts: [{ long: randomBytes(LARGEST_FACT_CHARACTERS / 2).toString('hex') }] }),
    },
    { name: 'nine UCANs on sixteen paths, the last ones badly signed', make: () => layered(4) },
    {
      name: 'a did:ixo that nobody knows',
      make: () => mint(signerFromSeed(randomBytes(32), `did:ixo:ixo1${randomBytes(12).toString('hex')}`), {}),
    },
    { name: 'archives and proofs of the published attacks', make: async () => bombs[next++ % bombs.length] ?? '' },
  ];
}

function mint(signer: UcanSigner, options: { facts?: readonly Record<string, unknown>[]; proofs?: string[] }) {
  return mintInvocation({ signer, audience: ORACLE, ...options });
}

/** Somebody who claims to be another, and cannot sign for him. */
function forger(index: number): UcanSigner {
  return { ...signerOf(index), sign: () => randomBytes(64) };
}

/** Two UCANs a layer, each resting on both of the layer above: every path is searched, and fails at its end. */
async function layered(layers: number): Promise<string> {
  let proofs: string[] = [];
  for (let layer = 0; layer < layers; layer++) {
    const signer = layer === 0 ? forger(0) : signerOf(layer);
    const delegation = { signer, audience: signerOf(layer + 1).did, proofs, lifetimeSeconds: 600 };
    const grants = [0, 1].map(() => mintDelegation({ ...delegation, capabilities: [USE_ORACLE] }));
    proofs = await Promise.all(grants);
  }
  return mint(signerOf(layers), { proofs });
}

/** Published tokens that are no archive, or one that costs its reader more than its writer. */
function archiveBombs(): readonly string[] {
  const bombs = ['repacked', 'exhausting'].flatMap((kind) => {
    const file = new URL(`../../packages/ucan-auth/vectors/${kind}.json`, import.meta.url);
    return (JSON.parse(readFileSync(file, 'utf8')) as { vectors: { token: string }[] }).vectors;
  });
  return bombs.map(({ token }) => token).filter((token) => /^[\x21-\x7e]+$/.test(token));
}
