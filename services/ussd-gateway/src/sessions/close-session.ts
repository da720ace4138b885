import { legacyOf, type SessionParts } from './answer-under-lock.js';
import { holdSession } from './hold-session.js';
import { type SessionKey, sessionName } from './session-store.js';
import { withDeadline } from './with-deadline.js';

/**
 * Ends a session that the user or the network ended: nobody sees a reply. From then on it is as if it had run out of
 * time, and the next dial is offered to go on. One that is not live stays as it is.
 *
 * @returns whether it was live.
 * @throws {ServiceError} `deadline_exceeded`; or whatever the store rejects with when it cannot be reached.
 */
export function closeSession(key: SessionKey, taker: SessionParts): Promise<boolean> {
  return withDeadline(taker.hopDeadlineMs, (deadline) =>
    taker.queue.run(sessionName(key), deadline, async () => {
      for (;;) {
        const { lock, session } = await holdSession(key, taker, deadline);
        if (session?.phase !== 'live') {
          await taker.store.letGo(key, lock);
          return false;
        }
        deadline.throwIfAborted();
        if (await taker.store.save(lock, session.record, 0, legacyOf(session.record, taker))) return true;
      }
    }),
  );
}
