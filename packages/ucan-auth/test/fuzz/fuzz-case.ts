import { type Block, base64, ucanBlock } from '../forge.js';
import type { TokenUse } from '../token-use.js';
import { ARCHIVE_MUTATIONS, BLOCK_MUTATIONS, type Blocks, pack } from './archive-mutations.js';
import { type Chain, honestChain } from './chain.js';
import { CHAIN_MUTATIONS } from './chain-mutations.js';
import { type Dice, diceOf } from './dice.js';
import { keysOf } from './principals.js';

/** A token and its use. */
export interface FuzzCase {
  readonly token: string;
  readonly question: TokenUse;
  /** Names of the mutations; empty for a valid token. */
  readonly changes: readonly string[];
  /** CIDs of the UCANs that were signed by their issuers. */
  readonly signed: readonly string[];
}

interface Signed {
  readonly question: TokenUse;
  readonly blocks: Blocks;
  readonly signed: readonly string[];
}

export const MUTATIONS = [CHAIN_MUTATIONS, BLOCK_MUTATIONS, ARCHIVE_MUTATIONS].flatMap((kind) => Object.keys(kind));

const TAMPERED_PERCENT = 75;
const HONEST_PERCENT = 25;
const POOL = 64;
const pool = new Map<number, Promise<Signed>>();

/** The case of a seed, deterministic: a valid chain that is changed before signing, after it, both, or not at all. */
export async function fuzzCase(seed: number): Promise<FuzzCase> {
  const dice = diceOf(seed);
  const changes: string[] = [];
  if (dice.percent(TAMPERED_PERCENT)) return tampered(await honest(dice.below(POOL)), dice, changes);
  const chain = honestChain(dice);
  const isHonest = dice.percent(HONEST_PERCENT);
  for (let left = isHonest ? 0 : 1 + dice.below(3); left > 0; left--) {
    named(CHAIN_MUTATIONS, dice, changes)(chain, dice);
  }
  const all = await signAll(chain);
  if (!isHonest && dice.percent(10)) return tampered(all, dice, changes);
  return { ...all, token: base64(pack(all.blocks, lastOf(all.blocks))), changes };
}

/** Signed once, because signing takes most of the time. */
function honest(seed: number): Promise<Signed> {
  const known = pool.get(seed) ?? signAll(honestChain(diceOf(seed)));
  pool.set(seed, known);
  return known;
}

async function signAll({ drafts, question }: Chain): Promise<Signed> {
  const blocks: Block[] = [];
  const signed: string[] = [];
  for (const { issuer, signedBy, prf, ...rest } of drafts) {
    const signer = { ...signedBy, did: issuer.did };
    const block = await ucanBlock({ ...rest, signer, prf: prf.flatMap((place) => blocks[place] ?? []) });
    blocks.push(block);
    if (keysOf(issuer.did).includes(signedBy.keyDid)) signed.push(block.cid.toString());
  }
  return { question, blocks, signed };
}

function tampered({ question, blocks, signed }: Signed, dice: Dice, changes: string[]): FuzzCase {
  if (dice.percent(50)) {
    const token = named(ARCHIVE_MUTATIONS, dice, changes)(blocks, lastOf(blocks), dice);
    return { token, question, signed, changes };
  }
  const others = named(BLOCK_MUTATIONS, dice, changes)(blocks, dice);
  const { cid } = lastOf(blocks);
  const root = others.find((block) => block.cid.equals(cid)) ?? others.at(-1) ?? lastOf(blocks);
  return { token: base64(pack(others, root)), question, signed, changes };
}

function lastOf(blocks: Blocks): Block {
  const last = blocks.at(-1);
  if (last === undefined) throw new RangeError('no blocks');
  return last;
}

function named<Mutation>(mutations: Readonly<Record<string, Mutation>>, dice: Dice, changes: string[]): Mutation {
  const [name, mutation] = dice.pick(Object.entries(mutations));
  changes.push(name);
  return mutation;
}
