export interface CallParticipant {
  readonly identity: string;
  /** Time of the last arrival. */
  readonly joinedAt: Date;
  /** Absent while the participant is in the call. */
  readonly leftAt?: Date;
}

export interface NewCall {
  readonly callId: string;
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly kind: 'audio' | 'video';
  readonly createdAt: Date;
  /** The call counts as ended from then on. */
  readonly expiresAt: Date;
  /** The sealed key of its media. Deleted when the call ends. */
  readonly sealedKey: string;
}

export type EndReason = 'hung_up' | 'room_closed' | 'expired';

/** A call as its owner may see it: without the key. */
export interface Call extends Omit<NewCall, 'sealedKey'> {
  /** Time of the first participant's arrival. */
  readonly startedAt?: Date;
  readonly end?: { readonly at: Date; readonly reason: EndReason };
  /** In the order of their first event. */
  readonly participants: readonly CallParticipant[];
}

export type OpenCall = Call & Pick<NewCall, 'sealedKey'>;

export type StartResult =
  | { readonly kind: 'started' | 'already_open'; readonly call: OpenCall }
  | { readonly kind: 'no_session' }
  | { readonly kind: 'too_many' };

/** Open calls per user. */
export const openCallLimit = 3;

/** Maximum number of participants of a call; further ones are ignored. */
export const participantLimit = 20;

/** Merges arrivals and departures of one participant: an arrival after the last departure means presence. */
export function participantOf(identity: string, joinedAt: Date | undefined, leftAt: Date | undefined): CallParticipant {
  const joined = joinedAt ?? leftAt ?? new Date(0);
  return { identity, joinedAt: joined, ...(leftAt === undefined || leftAt < joined ? {} : { leftAt }) };
}

/** An event of the media server about a room. Events may be repeated and may arrive in any order. */
export interface Sighting {
  readonly identity: string;
  readonly did: 'join' | 'leave';
  readonly at: Date;
}

/**
 * Calls of users with the oracle, each in a session of the same user and deleted with it.
 *
 * Ownership: methods with an owner's DID see only that owner's calls; the others are for the oracle's own side.
 * Atomicity: a session has at most one open call, also under concurrency.
 * Time: a call is read as ended from its `expiresAt` on, even if no request ended it.
 * Order: sightings give the same record in any order and with repetitions.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export interface CallStore {
  /** `already_open`: returns the session's open call instead of a new one. */
  start(call: NewCall): Promise<StartResult>;
  find(ownerDid: string, callId: string, now: Date): Promise<Call | undefined>;
  /** Newest first. `total` counts all matching calls. */
  list(
    ownerDid: string,
    page: { sessionId?: string | undefined; limit: number; offset: number },
    now: Date,
  ): Promise<{ calls: Call[]; total: number }>;
  /** Returns the call after the change; an ended call stays unchanged. */
  end(ownerDid: string, callId: string, at: Date): Promise<Call | undefined>;
  /** Deletes all calls of the owner. Returns their number. */
  removeAll(ownerDid: string): Promise<number>;
  /** Finds an open call of any owner. */
  findOpen(callId: string, now: Date): Promise<OpenCall | undefined>;
  /** Does nothing for a call that does not exist. */
  sight(callId: string, sighting: Sighting): Promise<void>;
  closeRoom(callId: string, at: Date): Promise<void>;
}
