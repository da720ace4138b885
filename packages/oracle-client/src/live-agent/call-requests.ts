import type { EndpointOverrides } from '../api/chat-options.js';
import type { OracleConnection } from '../api/requests/oracle-connection.js';
import type { CallKind } from './live-call-snapshot.js';

/** Oracle and session of a call; missing values are those of the hook. */
export interface CallPlace {
  readonly oracleDid?: string;
  readonly sessionId?: string;
  readonly overrides?: EndpointOverrides;
}

/** The credentials of a call, as returned by the oracle's plugin `calls`. */
export interface CallTicket {
  readonly callId: string;
  readonly url: string;
  readonly token: string;
  /** Text that the media keys are made from. */
  readonly e2eeKey: string;
}

export interface CallRequests {
  /** Starts a call in the session, or rejoins the open one. */
  start(kind: CallKind): Promise<CallTicket>;
  end(callId: string): Promise<void>;
}

export function callRequests(connection: OracleConnection, sessionId: string): CallRequests {
  return {
    start: (kind) => connection.json<CallTicket>('/calls', { method: 'POST', body: { sessionId, kind } }),
    end: async (callId) => void (await connection.json(`/calls/${encodeURIComponent(callId)}`, { method: 'DELETE' })),
  };
}
