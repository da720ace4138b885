import type { Member } from '../realtime/member.js';
import type { Realtime } from '../realtime/realtime.js';

export interface KeptTicket {
  /** The connection was lost: the client may come back for a while. */
  lost(): void;
  /** It is over for good. */
  end(): void;
}

/** Keeps the recovery ticket of an open socket, so that it is good for a bounded time whenever the connection is lost. */
export function keepTicket(
  realtime: Realtime,
  secret: string,
  member: Member,
  onFailure: (err: unknown) => void,
): KeptTicket {
  const { id, did, actor, sessionId, joinedAtMs } = member;
  const keep = () => {
    const { credentials, right } = member;
    const ticket = { id, did, actor, sessionId, credentials: [...credentials], joinedAtMs, right };
    realtime.tickets.keep(secret, ticket, realtime.recoveryMs).catch(onFailure);
  };
  const timer = setInterval(keep, realtime.recoveryMs / 4);
  timer.unref();
  keep();
  return {
    lost: () => {
      clearInterval(timer);
      keep();
    },
    end: () => {
      clearInterval(timer);
      realtime.tickets.drop(secret).catch(onFailure);
    },
  };
}
