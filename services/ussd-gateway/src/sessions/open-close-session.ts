import { callerFacts } from '../engine/caller-facts.js';
import type { Flow } from '../engine/flow.js';
import type { Position } from '../engine/position.js';
import { show } from '../engine/show.js';
import { flowNameOf, resumeUpdateOf } from './resume-point.js';
import type { HopDeps } from './run-hop.js';
import type { SessionRecord } from './session-record.js';
import type { SessionKey } from './session-store.js';
import { withSessionLock } from './with-session-lock.js';

/** A session that the network opens, and not its subscriber. */
export interface Opening extends SessionKey {
  readonly serviceCode: string;
  readonly flow: Flow;
  readonly position: Position;
}

/**
 * Opens a session on a screen, as a dial that nobody made: what its subscriber answers there is its first input. One that is there already, or was,
 * stays as it is.
 *
 * @throws {ServiceError} `deadline_exceeded`; or whatever the store rejects with when it cannot be reached.
 */
export function openSession({ flow, position, ...key }: Opening, taker: HopDeps): Promise<SessionRecord> {
  const { rules, hopDeadlineMs, sessionTtlMs, clock, recorder } = taker;
  const { secrets } = rules;
  return withSessionLock(key, taker, { limitMs: hopDeadlineMs }, async ({ session, save }) => {
    if (session !== undefined) return session.record;
    const mac = secrets.macOf(key, secrets.activeKeyId);
    if (mac === undefined) throw new Error('the active key of the keyring is gone');
    const shown = (rules.print ?? show)(flow, position, { ...rules.facts, ...callerFacts(key.phoneNumber) });
    const record: SessionRecord = {
      ...key,
      ...{ flow: flowNameOf(flow), position, isAuthenticated: false, nonce: secrets.freshNonce(), hops: 0 },
      ...{ macKeyId: secrets.activeKeyId, marks: [{ length: 0, mac: mac('') }] },
      ...{ message: shown.message, shownAtMs: clock(), ended: shown.closes },
    };
    if (!(await save(record, shown.closes ? 0 : sessionTtlMs))) return undefined;
    recorder?.record({ before: undefined, kind: 'dial', after: record, answerMs: 0 });
    return record;
  });
}

/**
 * Ends a session that the user or the network ended: nobody sees a reply. From then on it is as if it had run out of
 * time, and the next dial is offered to go on. One that is not live stays as it is.
 *
 * @returns whether it was live.
 * @throws {ServiceError} `deadline_exceeded`; or whatever the store rejects with when it cannot be reached.
 */
export function closeSession(key: SessionKey, taker: HopDeps): Promise<boolean> {
  return withSessionLock(key, taker, { limitMs: taker.hopDeadlineMs }, async ({ session, save }) => {
    if (session?.phase !== 'live') return false;
    return (
      (await save(session.record, 0, resumeUpdateOf(session.record, taker.rules.flows, taker.resumeWindowMs))) ||
      undefined
    );
  });
}
