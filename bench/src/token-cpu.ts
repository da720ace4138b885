/** Prints as JSON the CPU of validating tokens not seen before, of OpenSSL's bare signatures, and of stock ucanto. */
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { Delegation } from '@ucanto/core';
import { ed25519 } from '@ucanto/principal';
import { capability, claim, Schema } from '@ucanto/validator';

/** CPU in µs of one token. */
export interface TokenFigures {
  readonly proofs: number;
  readonly newUs: number;
  readonly opensslUs: number;
  readonly ucantoUs: number;
}

const isQuick = process.env['BENCH_QUICK'] === '1';
const rounds = isQuick ? 2 : 15;
const tokensEach = 600;
const ucantoTokens = 20;
const oracle = 'did:ixo:entity:0f3c8b7e';
/** About as long as the signed part of a UCAN. */
const payload = randomBytes(330);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signature = sign(null, payload, privateKey);

const figures: TokenFigures[] = [];
for (const proofs of [0, 1, 2, 3]) {
  const tokens = await mintTokens(proofs);
  const best = { proofs, newUs: Infinity, opensslUs: Infinity, ucantoUs: Infinity };
  // They take turns, so that other load affects all alike. The first round warms up; the best one counts, since noise only adds.
  for (let round = 0; round <= rounds; round++) {
    const opensslUs = await cpuUsOf(tokensEach, () => verifyAlone(tokensEach * (proofs + 1)));
    const newUs = await cpuUsOf(tokensEach, () => validate(tokens));
    const ucantoUs = await cpuUsOf(ucantoTokens, () => validateWithUcanto(tokens.slice(0, ucantoTokens)));
    if (round === 0) continue;
    best.opensslUs = Math.min(best.opensslUs, opensslUs);
    best.newUs = Math.min(best.newUs, newUs);
    best.ucantoUs = Math.min(best.ucantoUs, ucantoUs);
  }
  figures.push(best);
}
process.stdout.write(JSON.stringify(figures));

async function cpuUsOf(count: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Different invocations at the end of one chain of delegations, each by another issuer. */
async function mintTokens(proofs: number): Promise<string[]> {
  const signerOf = (index: number) => signerFromSeed(Buffer.alloc(32, index + 1));
  const capabilities = [{ can: '*', with: 'ixo:oracle' }] as const;
  let chain: string[] = [];
  for (let index = 0; index < proofs; index++) {
    const audience = signerOf(index + 1).did;
    chain = [
      await mintDelegation({ signer: signerOf(index), audience, capabilities, proofs: chain, lifetimeSeconds: 86_400 }),
    ];
  }
  const tokens: string[] = [];
  const invocation = { signer: signerOf(proofs), audience: oracle, proofs: chain, lifetimeSeconds: 600 };
  while (tokens.length < tokensEach) tokens.push(await mintInvocation(invocation));
  return tokens;
}

function verifyAlone(signatures: number): void {
  for (let index = 0; index < signatures; index++) verify(null, payload, publicKey, signature);
}

/** A new validator each round, so that no token is cached. */
async function validate(tokens: readonly string[]): Promise<void> {
  const auth = createUcanAuth({ audiences: [oracle] });
  for (const token of tokens) if (!(await auth.invocation(token)).ok) throw new Error('a valid token was refused');
}

/** ucanto as its documentation shows. */
async function validateWithUcanto(tokens: readonly string[]): Promise<void> {
  const use = capability({ can: '*', with: Schema.uri({ protocol: 'ixo:' }) });
  const { verifier: authority } = await ed25519.generate();
  for (const token of tokens) {
    const extracted = await Delegation.extract(Buffer.from(token, 'base64'));
    if (extracted.error !== undefined) throw new Error('ucanto did not read a token');
    const roots = [extracted.ok, ...extracted.ok.iterate()].filter(({ proofs }) => proofs.length === 0);
    const issuers = new Set<string>(roots.map(({ issuer }) => issuer.did()));
    const result = await claim(use, [extracted.ok], {
      authority,
      principal: ed25519.Verifier,
      canIssue: (_, issuer) => issuers.has(issuer),
      validateAuthorization: () => ({ ok: {} }),
    });
    if (result.error !== undefined) throw new Error('ucanto refused a valid token');
  }
}
