import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { socketLimits } from '@mlango/schemas/oracle-realtime';
import type { Permit } from '@mlango/service-kit/async';
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
  /** Closes what is left of a connection that has come back. */
  readonly takeOver: (ticket: RecoveryTicket) => Promise<void>;
  /** Whether what was shown then is still good, by the clock and by the revocations. Rejects when it cannot tell. */
  readonly holds: (right: SocketRight) => Promise<boolean>;
  /** Whether the room of a session is open here, which it is for its owner alone. */
  readonly hasRoom: (place: SessionRef) => boolean;
  /** Has the room of a session hear what other replicas tell it. Takes a bounded time, and never rejects. */
  readonly openRoom: (place: SessionRef) => Promise<void>;
  readonly connectionLimit: SharedPools['sockets'];
  readonly nowMs: () => number;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/** How a client says who it is: by an auth object `{invocation?, ucanDelegation?}`, or as a request over HTTP does. */
export type HandshakeTokens = { readonly auth: unknown } | { readonly headers: RequestHeaders };

/** What a client shows when it opens a socket. Whatever it says of its DID is not looked at. */
export interface Handshake {
  readonly sessionId: unknown;
  readonly tokens: HandshakeTokens;
  /** The `addressKey` of where it comes from, at whose cost keys are looked up. */
  readonly address: string;
  /** The secret of a connection it has lost, if it says that it had one. */
  readonly recovery?: string | undefined;
  readonly id: string;
}

/** The refusal of a token that an HTTP request would be answered so for. */
export const codeOfStatus = { 401: 'unauthenticated', 429: 'too_many', 503: 'unavailable' } as const;
const refused = (code: RefusalCode, message: string) => ({ ok: false, code, message }) as const;

/**
 * Lets a socket into the room of a session, or says why not. A session of somebody else is refused like one that does not
 * exist. Who was granted `oracle/converse` on its owner's DID is let in as whoever acts for them. A client that lost its connection a moment ago goes on with it: it must know the secret of that connection, and
 * show another token of the same user, by the same actor, or one that it showed then, while a socket that was not lost could stay for it.
 *
 * Never rejects.
 */
export async function admit(parts: AdmissionParts, handshake: Handshake): Promise<Admission> {
  const { sessionId, tokens: shown, address } = handshake;
  if (typeof sessionId !== 'string' || sessionId === '') return noSession;
  try {
    const credentials = credentialsOf(...tokensIn(shown));
    const lost = await findTicket(parts, handshake.recovery, sessionId);
    const known = credentials.filter((credential) => lost?.credentials.includes(credential));
    const mayReturn = lost !== undefined && known.length > 0 && (await parts.holds(lost.right));
    const isAllKnown = known.length === credentials.length;
    if (mayReturn && isAllKnown)
      return await acceptSocket(parts, { ...lost, id: handshake.id, address }, handshake.recovery);
    const sender = { address };
    const outcome = await ('auth' in shown
      ? parts.auth.handshake(shown.auth, sender, converseAbility)
      : parts.auth.request(shown.headers, sender, converseAbility));
    if (!outcome.ok) {
      if (mayReturn) return await acceptSocket(parts, { ...lost, id: handshake.id, address }, handshake.recovery);
      const { artifact, reason, message, status } = outcome.failure;
      parts.log.info({ artifact, reason }, 'socket refused');
      return refused(codeOfStatus[status], message);
    }
    const { did, actor } = outcome.caller;
    const right = rightOf(outcome.caller);
    const isSame = lost?.did === did && lost.actor === actor;
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
    parts.log.warn({ err }, 'socket refused: a store is away');
    return refused('unavailable', UNAVAILABLE_TEXT);
  }
}

async function findTicket({ tickets, log }: AdmissionParts, secret: string | undefined, sessionId: string) {
  if (secret === undefined) return undefined;
  try {
    const ticket = await tickets.find(secret);
    return ticket?.sessionId === sessionId ? ticket : undefined;
  } catch (err) {
    log.warn({ err }, 'recovery of sockets is away');
    return undefined;
  }
}

const notFound = refused('not_found', 'Session not found');

/** `recovery` is the secret of a lost connection that is this client's: it is used up here. */
async function acceptSocket(
  parts: AdmissionParts,
  identity: MemberIdentity,
  recovery: string | undefined,
): Promise<Admission> {
  const { did, actor, sessionId } = identity;
  const place = { ownerDid: did, sessionId };
  const isTheirs = () => parts.ownsSession(did, sessionId);
  // No room is opened for anybody but the owner.
  if (sessionId.length > socketLimits.sessionIdChars || !(parts.hasRoom(place) || (await isTheirs()))) return notFound;
  const ticket = recovery === undefined ? undefined : await parts.tickets.take(recovery);
  if (recovery !== undefined && ticket === undefined) return refused('unavailable', UNAVAILABLE_TEXT);
  if (ticket !== undefined) await parts.takeOver(ticket);
  const taken = parts.connectionLimit.tryAcquire({ user: actor ?? did, address: identity.address });
  if ('full' in taken) return refused('too_many', 'Too many connections');
  let isStillTheirs = false;
  try {
    await parts.openRoom(place);
    // Its room heard nothing of its end before that.
    isStillTheirs = await isTheirs();
  } finally {
    if (!isStillTheirs) taken.release();
  }
  if (!isStillTheirs) return notFound;
  return { ok: true, identity, permit: taken, isRecovered: ticket !== undefined };
}

function tokensIn(shown: HandshakeTokens): unknown[] {
  if ('headers' in shown) {
    const { authorization, 'x-ucan-delegation': delegation } = shown.headers;
    return [String(authorization ?? '').replace(/^bearer /i, ''), delegation];
  }
  return tokensInAuth(shown.auth);
}

/** The refusal of a socket that names no session. */
export const noSession = refused('bad_request', 'Missing sessionId: connect with the query parameter sessionId');

/** The refusal of a socket that showed nothing in time. */
export const noTokens = refused('unauthenticated', MISSING_TEXT);
