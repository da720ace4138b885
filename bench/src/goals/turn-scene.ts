import { signerFromSeed } from '@mlango/ucan-auth/minting';
import type { Child, Placement } from '../child-process.js';
import { headersOf, openSessions, type Session } from '../oracle-sessions.js';
import { readStream, type StreamReading } from '../read-stream.js';
import { type Stores, startService } from './start-service.js';

const seed = 'a1'.repeat(32);

/** Between the words of an answer. */
export const paceMs = 50;

/** An oracle on stores. */
export function startOracle(stores: Stores, placement: Placement): Promise<Child> {
  const own = { ORACLE_SIGNING_SEED: seed, LOCAL_MODEL_PACE_MS: String(paceMs) };
  return startService('oracle-api', { ...stores, ...own }, placement);
}

export function sessionsOf(oracle: Child, count: number): Promise<Session[]> {
  return openSessions(oracle.url, signerFromSeed(seed).did, count);
}

/** A turn in each of the sessions at one time, answered with so many words as a stream. */
export function askAll(
  oracle: Child,
  sessions: readonly Session[],
  words: number,
  onFrames?: Parameters<typeof readStream>[4],
): Promise<StreamReading[]> {
  const body = { message: `count to ${words}`, stream: true };
  return Promise.all(
    sessions.map(({ sessionId, token }) =>
      readStream(`${oracle.url}/messages/${sessionId}`, headersOf(token), body, '"status":"finished"', onFrames),
    ),
  );
}
