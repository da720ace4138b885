import type { Permit } from '@mlango/async/fair-semaphore';
import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { socketLimits } from '@mlango/schemas/oracle-realtime';
import type { RequestHeaders, UcanAuth } from '@mlango/ucan-auth/auth';
import { MISSING_TEXT, UNAVAILABLE_TEXT } from '@mlango/ucan-auth/auth-outcome';
import type { SharedPools } from '../shared-pools.js';
import type { SessionRef } from './hub.js';
import {
  credentialsOf,
  type MemberIdentity,
  type RecoveryTicket,
  type RecoveryTickets,
  rightOf,
  type SocketRight,
  tokensInAuth,
} from './member.js';

export type RefusalCode = 'bad_request' | 'unauthenticated' | 'not_found' | 'too_many' | 'unavailable';

export type Admission =
  | { readonly ok: true; readonly identity: MemberIdentity; readonly permit: Permit; readonly isRecovered: boolean }
  | { readonly ok: false; readonly code: RefusalCode; readonly message: string };

export interface AdmissionParts {
  readonly auth: Pick<UcanAuth, 'handshake' | 'request'>;
  readonly ownsSession: (did: string, sessionId: string) => Promise<boolean>;
  readonly tickets: RecoveryTickets;
  /** How long a ticket is valid after the connection was lost. */
  readonly recoveryMs: number;
  /** Closes the old connection of a ticket. */
  readonly takeOver: (ticket: RecoveryTicket) => Promise<void>;
  /** Whether a proof is unexpired and not revoked. Rejects if that cannot be determined. */
  readonly holds: (right: SocketRight) => Promise<boolean>;
  /** Whether this process has a room for the session of this owner. */
  readonly hasRoom: (place: SessionRef) => boolean;
  /** Subscribes the session's room to other replicas. Takes a bounded time, never rejects. */
  readonly openRoom: (place: SessionRef) => Promise<void>;
  readonly connectionLimit: SharedPools['sockets'];
  readonly nowMs: () => number;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/** Tokens of a client: an auth object `{invocation?, ucanDelegation?}`, or the headers of an HTTP request. */
export type HandshakeTokens = { readonly auth: unknown } | { readonly headers: RequestHeaders };

/** Input of an admission. A DID that the client claims is ignored. */
export interface Handshake {
  readonly sessionId: unknown;
  readonly tokens: HandshakeTokens;
  /** The client's `addressKey`, which is charged for key look-ups. */
  readonly address: string;
  /** Secret of a closed connection to resume. */
  readonly recovery?: string | undefined;
  readonly id: string;
}

/** Refusal code by the HTTP status of the same failure. */
export const codeOfStatus = { 401: 'unauthenticated', 429: 'too_many', 503: 'unavailable' } as const;
const refused = (code: RefusalCode, message: string) => ({ ok: false, code, message }) as const;

/**
 * Admits a socket to the room of a session, or refuses it. Another user's session is refused like a missing one. A holder of
 * `oracle/converse` on the owner's DID is admitted as the owner's delegate. A client resumes a closed connection with its secret and
 * either a new token of the same user and delegate, or a token of that connection that is still valid.
 *
 * Never rejects.
 */
export async function admit(parts: AdmissionParts, handshake: Handshake): Promise<Admission> {
  const { sessionId, tokens: shown, address } = handshake;
  if (typeof sessionId !== 'string' || sessionId === '') return noSession;
  try {
    const credentials = credentialsOf(...tokensIn(shown));
    const ticket = await findTicket(parts, handshake.recovery, sessionId);
    const known = credentials.filter((credential) => ticket?.credentials.includes(credential));
    const mayReturn = ticket !== undefined && known.length > 0 && (await parts.holds(ticket.right));
    const isAllKnown = known.length === credentials.length;
    if (mayReturn && isAllKnown)
      return await acceptSocket(parts, { ...ticket, id: handshake.id, address }, handshake.recovery);
    const sender = { address };
    const outcome = await ('auth' in shown
      ? parts.auth.handshake(shown.auth, sender, converseAbility)
      : parts.auth.request(shown.headers, sender, converseAbility));
    if (!outcome.ok) {
      if (mayReturn) return await acceptSocket(parts, { ...ticket, id: handshake.id, address }, handshake.recovery);
      const { artifact, reason, message, status } = outcome.failure;
      parts.log.info({ artifact, reason }, 'socket refused');
      return refused(codeOfStatus[status], message);
    }
    const { did, actor } = outcome.caller;
    const right = rightOf(outcome.caller);
    const isSame = ticket?.did === did && ticket.actor === actor;
    const identity = {
      id: handshake.id,
      did,
      actor,
      sessionId,
      address,
      credentials,
      right,
      joinedAtMs: parts.nowMs(),
    };
    return await acceptSocket(parts, identity, isSame ? handshake.recovery : undefined);
  } catch (err) {
    parts.log.warn({ err }, 'socket refused, store unavailable');
    return refused('unavailable', UNAVAILABLE_TEXT);
  }
}

async function findTicket({ tickets, log }: AdmissionParts, secret: string | undefined, sessionId: string) {
  if (secret === undefined) return undefined;
  try {
    const ticket = await tickets.find(secret);
    return ticket?.sessionId === sessionId ? ticket : undefined;
  } catch (err) {
    log.warn({ err }, 'recovery tickets unavailable');
    return undefined;
  }
}

const notFound = refused('not_found', 'Session not found');

/** Takes the recovery ticket of the client's secret and a connection slot. A ticket that is refused for a temporary reason stays valid. */
async function acceptSocket(
  parts: AdmissionParts,
  identity: MemberIdentity,
  recovery: string | undefined,
): Promise<Admission> {
  const { did, sessionId } = identity;
  const hasRoom = parts.hasRoom({ ownerDid: did, sessionId });
  // Rooms are opened for the owner's sockets only.
  if (sessionId.length > socketLimits.sessionIdChars || !(hasRoom || (await parts.ownsSession(did, sessionId))))
    return notFound;
  if (recovery === undefined) return takeSlot(parts, identity, undefined);
  const ticket = await parts.tickets.take(recovery);
  if (ticket === undefined) return refused('unavailable', UNAVAILABLE_TEXT);
  let isUsed = false;
  try {
    const admission = await takeSlot(parts, identity, ticket);
    isUsed = admission.ok || admission.code === 'not_found';
    return admission;
  } finally {
    if (!isUsed) await restoreTicket(parts, recovery, ticket);
  }
}

/** Never rejects. */
async function restoreTicket(
  { tickets, recoveryMs, log }: AdmissionParts,
  secret: string,
  ticket: RecoveryTicket,
): Promise<void> {
  try {
    await tickets.save(secret, ticket, recoveryMs);
  } catch (err) {
    log.warn({ err }, 'recovery ticket not saved');
  }
}

/** Takes a connection slot, after the old connection of the ticket has released its own. */
async function takeSlot(
  parts: AdmissionParts,
  identity: MemberIdentity,
  ticket: RecoveryTicket | undefined,
): Promise<Admission> {
  const { did, actor, sessionId, address } = identity;
  const place = { ownerDid: did, sessionId };
  if (ticket !== undefined) await parts.takeOver(ticket);
  const taken = parts.connectionLimit.tryAcquire({ user: actor ?? did, address });
  if ('full' in taken) return refused('too_many', 'Too many connections');
  let isStillOwned = false;
  try {
    await parts.openRoom(place);
    // A deletion before the subscription was not delivered to this room.
    isStillOwned = await parts.ownsSession(did, sessionId);
  } finally {
    if (!isStillOwned) taken.release();
  }
  if (!isStillOwned) return notFound;
  return { ok: true, identity, permit: taken, isRecovered: ticket !== undefined };
}

function tokensIn(shown: HandshakeTokens): unknown[] {
  if ('headers' in shown) {
    const { authorization, 'x-ucan-delegation': delegation } = shown.headers;
    return [String(authorization ?? '').replace(/^bearer /i, ''), delegation];
  }
  return tokensInAuth(shown.auth);
}

/** Refusal of a socket without a session id. */
export const noSession = refused('bad_request', 'Missing sessionId: connect with the query parameter sessionId');

/** Refusal of a socket that sent no tokens in time. */
export const noTokens = refused('unauthenticated', MISSING_TEXT);
