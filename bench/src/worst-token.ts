/**
 * What the worst token costs its reader that passes the decoder: CPU of one validation, over all shapes of proofs that the limits
 * leave, as layers in which each UCAN rests on all of the layer above.
 */
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { createUcanAuth, type DidResolver } from '@mlango/ucan-auth/auth';
import { DEFAULT_LIMITS } from '@mlango/ucan-auth/decode-token';
import { keyOfDid } from '@mlango/ucan-auth/did-key';
import {
  type Capability,
  mintDelegation,
  mintInvocation,
  signerFromSeed,
  type UcanSigner,
} from '@mlango/ucan-auth/minting';
import { printTable } from './print-table.js';
import { ORACLE } from './ucan-tokens.js';

/** UCANs in each layer of proofs, the one next to the token first, and how often each grants the claim. */
interface Shape {
  readonly widths: readonly number[];
  readonly grants: number;
}

type Forged = 'nothing' | 'the first grants';
/** Whether issuers are their own keys, or those of the widest layers have to be looked up: as many as a token may name, with as many keys each as count. */
type Issuers = 'did:key' | 'did:ixo';
type Asked = 'invocation' | 'delegation';

interface Kind {
  readonly issuers: Issuers;
  readonly forged: Forged;
  readonly asked: Asked;
}

interface Case extends Kind {
  readonly name: string;
  readonly tokens: readonly string[];
}

const TOKENS = 8;
const ROUNDS = 4;
/** What takes fewer to search costs less. */
const FEWEST_STEPS = 20;
const {
  proofs: MOST_PROOFS,
  depth: MOST_DEPTH,
  blocks: MOST_BLOCKS,
  proofPaths: MOST_STEPS,
  lookedUpIssuers: MOST_LOOKED_UP,
} = DEFAULT_LIMITS;
const USE: Capability = { can: '*', with: 'ixo:oracle' };

const KEYS_OF_DOCUMENT = 8;
const listed = Array.from({ length: KEYS_OF_DOCUMENT }, () => randomBytes(32));
const keysOfIxo = listed.flatMap((seed) => keyOfDid(signerFromSeed(seed).keyDid) ?? []);
const resolver: DidResolver = {
  method: 'ixo',
  resolve: async () => ({ ok: true, keys: keysOfIxo }),
  forget: () => undefined,
};

function signersOf(widths: readonly number[], { issuers, forged }: Kind): UcanSigner[] {
  const sizes = [1, ...widths];
  const widest = sizes.map((_, layer) => layer).toSorted((left, right) => (sizes[right] ?? 0) - (sizes[left] ?? 0));
  const lookedUp = new Set(issuers === 'did:key' ? [] : widest.slice(0, MOST_LOOKED_UP));
  return sizes.map((_, layer) => {
    // The last of the keys, so that all others are tried before.
    const seed = lookedUp.has(layer) ? listed.at(-1) : undefined;
    const signer = signerFromSeed(
      seed ?? randomBytes(32),
      seed === undefined ? undefined : `did:ixo:ixo1layer${layer}`,
    );
    // Says whom it is, and cannot sign for him: the search ends in vain, at the far end of every path.
    return forged === 'the first grants' && layer === widths.length
      ? { ...signer, sign: () => randomBytes(64) }
      : signer;
  });
}

function shapes(): Shape[] {
  const found: Shape[] = [];
  const extend = (widths: readonly number[]) => {
    for (const grants of [1, 2, 4, 20]) {
      const steps = stepsOf({ widths, grants });
      if (steps >= FEWEST_STEPS && steps <= MOST_STEPS) found.push({ widths, grants });
    }
    if (widths.length === MOST_DEPTH - 1) return;
    for (let width = 1; width <= MOST_PROOFS; width += 1) {
      const wider = [...widths, width];
      // One block is the archive's own, one the token's.
      if (wider.reduce((sum, one) => sum + one, 2) <= MOST_BLOCKS) extend(wider);
    }
  };
  extend([]);
  return found;
}

function stepsOf({ widths, grants }: Shape): number {
  return widths.reduceRight((above, width) => width * grants * (1 + above), 0);
}

async function tokenOf({ widths, grants }: Shape, kind: Kind): Promise<string> {
  const capabilities = Array.from({ length: grants }, () => USE) as [Capability, ...Capability[]];
  const signers = signersOf(widths, kind);
  const audiences = [ORACLE, ...signers.map(({ did }) => did)];
  let proofs: string[] = [];
  // From the far end. All of a layer are by one issuer, for that of the next.
  for (let layer = widths.length; layer > 0; layer -= 1) {
    const [signer, audience] = [signers[layer], audiences[layer]];
    if (signer === undefined || audience === undefined) throw new RangeError('no such layer');
    const grant = { signer, audience, capabilities, proofs };
    const made = Array.from({ length: widths[layer - 1] ?? 0 }, (_, at) =>
      mintDelegation({ ...grant, nonce: `${at}` }),
    );
    proofs = await Promise.all(made);
  }
  const [signer] = signers;
  if (signer === undefined) throw new RangeError('nobody signs');
  return kind.asked === 'invocation'
    ? mintInvocation({ signer, audience: ORACLE, proofs })
    : mintDelegation({ signer, audience: ORACLE, proofs, capabilities: [USE] });
}

const kinds = (['did:key', 'did:ixo'] as const).flatMap((issuers) =>
  (['nothing', 'the first grants'] as const).flatMap((forged) =>
    (['invocation', 'delegation'] as const).map((asked): Kind => ({ issuers, forged, asked })),
  ),
);

async function casesOf(shape: Shape): Promise<Case[]> {
  const cases: Case[] = [];
  for (const kind of kinds) {
    const name = `${kind.asked} on ${shape.widths.join('-')} UCANs, ${shape.grants} grants each, ${kind.issuers}, forged: ${kind.forged}`;
    try {
      const tokens = await Promise.all(Array.from({ length: TOKENS }, () => tokenOf(shape, kind)));
      cases.push({ ...kind, name, tokens });
    } catch (error) {
      // Longer than a token may be.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return cases;
}

/** CPU microseconds of one token, all of them new to the reader; undefined for one that its decoder refuses. */
async function costOf({ asked, tokens }: Case): Promise<number | undefined> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [resolver] });
    const before = process.cpuUsage();
    for (const token of tokens) {
      const validation = await auth[asked](token);
      if (!validation.ok && ['malformed', 'too_large', 'too_complex'].includes(validation.code)) return undefined;
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / tokens.length);
  }
  return best;
}

function opensslMicros(): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const payload = randomBytes(330);
  const signature = sign(null, payload, privateKey);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < 200; index += 1) verify(null, payload, publicKey, signature);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 200);
  }
  return best;
}

const measured: { readonly name: string; readonly micros: number }[] = [];
for (const shape of shapes()) {
  for (const one of await casesOf(shape)) {
    const micros = await costOf(one);
    if (micros !== undefined) measured.push({ name: one.name, micros });
  }
}
measured.sort((left, right) => right.micros - left.micros);
const bare = opensslMicros();
const rows = measured
  .slice(0, 8)
  .map(({ name, micros }) => [name, (micros / 1000).toFixed(2), (micros / bare).toFixed(0)]);
printTable(['token', 'CPU ms', 'in OpenSSL verifications'], rows);
process.stdout.write(`${measured.length} kinds of tokens; one verification by OpenSSL takes ${bare.toFixed(0)} µs\n`);
