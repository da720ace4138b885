export interface CallParticipant {
  readonly identity: string;
  /** The last time, where they came more than once. */
  readonly joinedAt: Date;
  /** Absent while they are there. */
  readonly leftAt?: Date;
}

export interface NewCall {
  readonly callId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly kind: 'audio' | 'video';
  readonly createdAt: Date;
  /** From then on the call counts as ended. */
  readonly expiresAt: Date;
  /** The key of its media, sealed. Forgotten when the call ends. */
  readonly sealedKey: string;
}

export type EndReason = 'hung_up' | 'room_closed' | 'expired';

/** A call as its owner may see it: without the key. */
export interface Call extends Omit<NewCall, 'sealedKey'> {
  /** When somebody was first seen in the room. */
  readonly startedAt?: Date;
  readonly end?: { readonly at: Date; readonly reason: EndReason };
  /** In the order in which they were first told of. */
  readonly participants: readonly CallParticipant[];
}

export type OpenCall = Call & Pick<NewCall, 'sealedKey'>;

export type StartResult =
  | { readonly kind: 'started' | 'already_open'; readonly call: OpenCall }
  | { readonly kind: 'no_session' }
  | { readonly kind: 'too_many' };

/** Calls of one user at a time. */
export const openCallLimit = 3;

/** People that are kept of one call: a server that tells of more is not listened to. */
export const participantLimit = 20;

/** From the last time of each that was told of: who came again after they had left is there. */
export function participantOf(identity: string, joinedAt: Date | undefined, leftAt: Date | undefined): CallParticipant {
  const joined = joinedAt ?? leftAt ?? new Date(0);
  return { identity, joinedAt: joined, ...(leftAt === undefined || leftAt < joined ? {} : { leftAt }) };
}

/** What the media server has seen in a room. It may tell so more than once, and in any order. */
export interface Sighting {
  readonly identity: string;
  readonly did: 'join' | 'leave';
  readonly at: Date;
}

/**
 * Calls of users with the oracle, each in a session of the same user, and gone with it.
 *
 * Ownership: what takes the owner's DID sees only what is that owner's; what does not is for the oracle's own side.
 * Atomicity: of a session one call is open at a time, however many are started at once.
 * Time: a call whose `expiresAt` has come is read as ended then, whether or not anybody ended it.
 * Order: sightings give the same record in whatever order, and however often, they are told.
 * Failure: a store that cannot be reached rejects; nothing is half done.
 */
export interface CallStore {
  /** `already_open`: the session's open call, in the place of the new one. */
  start(call: NewCall): Promise<StartResult>;
  find(ownerDid: string, callId: string, now: Date): Promise<Call | undefined>;
  /** Newest first. `total` counts all that fit. */
  list(
    ownerDid: string,
    page: { sessionId?: string | undefined; limit: number; offset: number },
    now: Date,
  ): Promise<{ calls: Call[]; total: number }>;
  /** Gives the call as it then is; one that has ended stays as it was. */
  end(ownerDid: string, callId: string, at: Date): Promise<Call | undefined>;
  /** All of the owner's. Gives how many there were. */
  removeAll(ownerDid: string): Promise<number>;
  /** A call that has not ended, of whomever. */
  findOpen(callId: string, now: Date): Promise<OpenCall | undefined>;
  /** Nothing happens for a call that does not exist. */
  sight(callId: string, sighting: Sighting): Promise<void>;
  closeRoom(callId: string, at: Date): Promise<void>;
}
