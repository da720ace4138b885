import { holdSession } from '../sessions/hold-session.js';
import type { SessionKey, SessionStore } from '../sessions/session-store.js';

const limitMs = 2000;

/** Makes a live session run out now, as if nobody had pressed a key. Resolves with whether there was one. */
export async function expireSession(key: SessionKey, store: SessionStore): Promise<boolean> {
  const from = { store, hopDeadlineMs: limitMs };
  const { lock, session } = await holdSession(key, from, AbortSignal.timeout(limitMs));
  if (session?.phase === 'live') return store.save(lock, session.record, 0);
  await store.letGo(key, lock);
  return false;
}
