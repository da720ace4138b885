import { callerFacts } from '../engine/caller-facts.js';
import type { Flow } from '../engine/flow.js';
import { flowNameOf, type Position } from '../engine/position.js';
import { show } from '../engine/show.js';
import { resumeUpdateOf } from './resume-point.js';
import type { HopDeps } from './run-hop.js';
import type { SessionRecord } from './session-record.js';
import type { SessionKey } from './session-store.js';
import { withSessionLock } from './with-session-lock.js';

/** A session that the network opens. */
export interface Opening extends SessionKey {
  readonly serviceCode: string;
  readonly flow: Flow;
  readonly position: Position;
}

/**
 * Opens a session on a screen without a dial: the first hop of the subscriber is an input on that screen. A session that already exists is
 * unchanged.
 *
 * @throws {ServiceError} `deadline_exceeded`; or the error of an unavailable store.
 */
export function openSession({ flow, position, ...key }: Opening, deps: HopDeps): Promise<SessionRecord> {
  const { rules, hopDeadlineMs, sessionTtlMs, clock, recorder } = deps;
  const { secrets } = rules;
  return withSessionLock(key, deps, { limitMs: hopDeadlineMs }, async ({ session, save }) => {
    if (session !== undefined) return session.record;
    const mac = secrets.macOf(key, secrets.activeKeyId);
    if (mac === undefined) throw new Error('the active key of the keyring is missing');
    const shown = (rules.cachedShow ?? show)(flow, position, { ...rules.facts, ...callerFacts(key.phoneNumber) });
    const record: SessionRecord = {
      ...key,
      flow: flowNameOf(flow),
      position,
      isAuthenticated: false,
      nonce: secrets.freshNonce(),
      hops: 0,
      macKeyId: secrets.activeKeyId,
      marks: [{ length: 0, mac: mac('') }],
      message: shown.message,
      shownAtMs: clock(),
      ended: shown.closes,
    };
    if (!(await save(record, shown.closes ? 0 : sessionTtlMs))) return undefined;
    recorder?.record({ before: undefined, kind: 'dial', after: record, answerMs: 0 });
    return record;
  });
}

/**
 * Ends a session that the user or the network closed. It then counts as expired: the next dial gets the offer to resume. A session that
 * is not live is unchanged.
 *
 * @returns whether it was live.
 * @throws {ServiceError} `deadline_exceeded`; or the error of an unavailable store.
 */
export function closeSession(key: SessionKey, deps: HopDeps): Promise<boolean> {
  return withSessionLock(key, deps, { limitMs: deps.hopDeadlineMs }, async ({ session, save }) => {
    if (session?.phase !== 'live') return false;
    const resume = resumeUpdateOf(session.record, deps.rules.flows, deps.resumeWindowMs);
    return (await save(session.record, 0, resume)) || undefined;
  });
}
