import { readFileSync, writeFileSync } from 'node:fs';
import { CBOR } from '@ucanto/core';
import type { Question } from '../question.js';
import type { FuzzCase } from './fuzz-case.js';

const FILE = new URL('../fuzz-seeds.json', import.meta.url);

/** A case that went wrong once. The token is kept beside the seed: what a seed makes changes with the mutations there are. */
interface Kept {
  readonly seed: number;
  /** What was wrong when it was found. */
  readonly found: string;
  readonly changes: string;
  /** base64 of dag-cbor: a question may hold links and bytes. */
  readonly question: string;
  /** CIDs, one after the other. */
  readonly signed: string;
  readonly token: string;
}

export interface KeptCase extends FuzzCase {
  readonly seed: number;
  readonly found: string;
}

export function keptCases(): readonly KeptCase[] {
  const all: readonly Kept[] = JSON.parse(readFileSync(FILE, 'utf8'));
  return all.map(({ seed, found, changes, question, signed, token }) => ({
    seed,
    found,
    changes: changes === '' ? [] : changes.split(', '),
    question: CBOR.decode<Question>(Buffer.from(question, 'base64')),
    signed: signed.split(' '),
    token,
  }));
}

/** Adds to the file what is not in it yet; it is replayed first from then on, and belongs into the commit that mends it. */
export function keep(cases: readonly KeptCase[]): void {
  const known: readonly Kept[] = JSON.parse(readFileSync(FILE, 'utf8'));
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
