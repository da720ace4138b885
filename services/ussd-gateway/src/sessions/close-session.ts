import type { SessionParts } from './answer-under-lock.js';
import { asOneWriter } from './as-one-writer.js';
import { legacyOf } from './lost-place.js';
import type { SessionKey } from './session-store.js';

/**
 * Ends a session that the user or the network ended: nobody sees a reply. From then on it is as if it had run out of
 * time, and the next dial is offered to go on. One that is not live stays as it is.
 *
 * @returns whether it was live.
 * @throws {ServiceError} `deadline_exceeded`; or whatever the store rejects with when it cannot be reached.
 */
export function closeSession(key: SessionKey, taker: SessionParts): Promise<boolean> {
  return asOneWriter(key, taker, { limitMs: taker.hopDeadlineMs }, async ({ session, save }) => {
    if (session?.phase !== 'live') return false;
    return (
      (await save(session.record, 0, legacyOf(session.record, taker.rules.flows, taker.resumeWindowMs))) || undefined
    );
  });
}
