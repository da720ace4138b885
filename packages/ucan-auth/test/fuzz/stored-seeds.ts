import { readFileSync, writeFileSync } from 'node:fs';
import { CBOR } from '@ucanto/core';
import type { TokenUse } from '../token-use.js';
import type { FuzzCase } from './fuzz-case.js';

const FILE = new URL('../fuzz-seeds.json', import.meta.url);

/** A case that failed once. The token is stored with the seed, because new mutations change the output of a seed. */
interface Entry {
  readonly seed: number;
  /** The failure. */
  readonly found: string;
  readonly changes: string;
  /** base64 of dag-cbor: caveats may hold links and bytes. */
  readonly question: string;
  /** CIDs, separated by spaces. */
  readonly signed: string;
  readonly token: string;
}

export interface StoredCase extends FuzzCase {
  readonly seed: number;
  readonly found: string;
}

export function storedCases(): readonly StoredCase[] {
  const all: readonly Entry[] = JSON.parse(readFileSync(FILE, 'utf8'));
  return all.map(({ seed, found, changes, question, signed, token }) => ({
    seed,
    found,
    changes: changes === '' ? [] : changes.split(', '),
    question: CBOR.decode<TokenUse>(Buffer.from(question, 'base64')),
    signed: signed.split(' '),
    token,
  }));
}

/** Adds new cases to the file. They run first from then on; commit them with the fix. */
export function storeCases(cases: readonly StoredCase[]): void {
  const known: readonly Entry[] = JSON.parse(readFileSync(FILE, 'utf8'));
  const added = cases.map(({ seed, found, changes, question, signed, token }) => ({
    seed,
    found,
    changes: changes.join(', '),
    question: Buffer.from(CBOR.encode(question)).toString('base64'),
    signed: signed.join(' '),
    token,
  }));
  const news = added.filter(
    (one) => !known.some(({ token, question }) => token === one.token && question === one.question),
  );
  writeFileSync(FILE, `${JSON.stringify([...known, ...news], null, 2)}\n`);
}
