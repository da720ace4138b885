import { errorCodeOf } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { isStorable } from '../../store/database.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import { callParticipants, calls } from './schema.js';
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
function participantOf(identity: string, joinedAt: Date | undefined, leftAt: Date | undefined): CallParticipant {
  const joined = joinedAt ?? leftAt ?? new Date(0);
  return { identity, joinedAt: joined, ...(leftAt === undefined || leftAt < joined ? {} : { leftAt }) };
}

/** An event of the media server about a room. Events may be repeated and may arrive in any order. */
export interface Sighting {
  readonly identity: string;
  readonly did: 'join' | 'leave';
  readonly at: Date;
}

type Row = typeof calls.$inferSelect;
/** SQLSTATE of a violated foreign key. */
const noSuchSession = '23503';

/**
 * Calls of users with the oracle, each in a session of the same user and deleted with it.
 *
 * Ownership: methods with an owner's DID see only that owner's calls; the others are for the oracle's own side.
 * Atomicity: a session has at most one open call, also under concurrency.
 * Time: a call is read as ended from its `expiresAt` on, even if no request ended it.
 * Order: sightings give the same record in any order and with repetitions.
 * Errors: rejects if the store is unreachable; no partial changes.
 */
export class CallStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** `already_open`: returns the session's open call instead of a new one. */
  async start(call: NewCall): Promise<StartResult> {
    if (!isStorable(call.sessionId)) return { kind: 'no_session' };
    await this.#endExpired(call);
    const open = await this.#openOf(call);
    const before = open.find(({ sessionId }) => sessionId === call.sessionId);
    if (before !== undefined) return { kind: 'already_open', call: openCallOf(before) };
    if (open.length >= openCallLimit) return { kind: 'too_many' };
    try {
      // The unique index admits one of several concurrent calls; the insert waits while the session is being deleted.
      const [row] = await this.#db.insert(calls).values(call).onConflictDoNothing().returning();
      if (row !== undefined) return { kind: 'started', call: openCallOf(row) };
    } catch (error) {
      if (errorCodeOf(error) === noSuchSession) return { kind: 'no_session' };
      throw error;
    }
    const [winner] = await this.#openOf(call, eq(calls.sessionId, call.sessionId));
    if (winner === undefined) throw new Error('the conflicting call has ended in the meantime');
    return { kind: 'already_open', call: openCallOf(winner) };
  }

  async find(ownerDid: string, callId: string, now: Date): Promise<Call | undefined> {
    if (!isStorable(callId)) return undefined;
    const rows = await this.#db.select().from(calls).where(ofOwner(ownerDid, callId));
    const [call] = await this.#withParticipants(rows, now);
    return call;
  }

  /** Newest first. `total` counts all matching calls. */
  async list(
    ownerDid: string,
    { sessionId, limit, offset }: { sessionId?: string | undefined; limit: number; offset: number },
    now: Date,
  ): Promise<{ calls: Call[]; total: number }> {
    const ofSession = sessionId === undefined ? undefined : eq(calls.sessionId, sessionId);
    const fits = and(eq(calls.ownerDid, ownerDid), ofSession);
    const rows = await this.#db
      .select()
      .from(calls)
      .where(fits)
      .orderBy(desc(calls.position))
      .limit(limit)
      .offset(offset);
    const [counted] = await this.#db.select({ total: count() }).from(calls).where(fits);
    return { calls: await this.#withParticipants(rows, now), total: counted?.total ?? 0 };
  }

  /** Returns the call after the change; an ended call stays unchanged. */
  async end(ownerDid: string, callId: string, at: Date): Promise<Call | undefined> {
    if (!isStorable(callId)) return undefined;
    await this.#end(and(ofOwner(ownerDid, callId), isOpenAt(at)), at, 'hung_up');
    return this.find(ownerDid, callId, at);
  }

  /** Deletes all calls of the owner. Returns their number. */
  async removeAll(ownerDid: string): Promise<number> {
    const removed = await this.#db
      .delete(calls)
      .where(eq(calls.ownerDid, ownerDid))
      .returning({ callId: calls.callId });
    return removed.length;
  }

  /** Finds an open call of any owner. */
  async findOpen(callId: string, now: Date): Promise<OpenCall | undefined> {
    if (!isStorable(callId)) return undefined;
    const [row] = await this.#db
      .select()
      .from(calls)
      .where(and(eq(calls.callId, callId), isOpenAt(now)));
    return row && openCallOf(row);
  }

  /** Does nothing for a call that does not exist. */
  sight(callId: string, { identity, did, at }: Sighting): Promise<void> {
    return this.#db.transaction(async (tx) => {
      // Serializes the events of a room, so that the count below is still valid at the write.
      const updated = await tx
        .update(calls)
        .set({ startedAt: sql`least(${calls.startedAt}, ${at.toISOString()}::timestamptz)` })
        .where(eq(calls.callId, callId))
        .returning({ callId: calls.callId });
      if (updated.length === 0) return;
      const known = await tx
        .select({ identity: callParticipants.identity })
        .from(callParticipants)
        .where(eq(callParticipants.callId, callId));
      if (known.length >= participantLimit && known.every((one) => one.identity !== identity)) return;
      const { joinedAt: joined, leftAt: left } = callParticipants;
      await tx
        .insert(callParticipants)
        .values({ callId, identity, joinedAt: did === 'join' ? at : null, leftAt: did === 'leave' ? at : null })
        .onConflictDoUpdate({
          target: [callParticipants.callId, callParticipants.identity],
          set:
            did === 'join'
              ? { joinedAt: sql`greatest(${joined}, excluded.joined_at)` }
              : { leftAt: sql`greatest(${left}, excluded.left_at)` },
        });
    });
  }

  closeRoom(callId: string, at: Date): Promise<void> {
    return this.#end(and(eq(calls.callId, callId), isOpenAt(at)), at, 'room_closed');
  }

  #openOf({ ownerDid, createdAt }: NewCall, which?: SQL): Promise<Row[]> {
    return this.#db
      .select()
      .from(calls)
      .where(and(eq(calls.ownerDid, ownerDid), which, isOpenAt(createdAt)));
  }

  async #end(which: SQL | undefined, at: Date | SQL, endReason: EndReason): Promise<void> {
    await this.#db.update(calls).set({ endedAt: at, endReason, sealedKey: null }).where(which);
  }

  /** Marks expired calls as ended and deletes their keys: those of this owner, and a few of others. */
  async #endExpired({ ownerDid, createdAt }: NewCall): Promise<void> {
    const isOver = and(isNull(calls.endedAt), lte(calls.expiresAt, createdAt));
    const others = this.#db
      .select({ callId: calls.callId })
      .from(calls)
      .where(isOver)
      .limit(100)
      .for('update', { skipLocked: true });
    for (const which of [eq(calls.ownerDid, ownerDid), inArray(calls.callId, others)]) {
      await this.#end(and(isOver, which), sql`${calls.expiresAt}`, 'expired');
    }
  }

  async #withParticipants(rows: readonly Row[], now: Date): Promise<Call[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ callId }) => callId);
    const seen = await this.#db
      .select()
      .from(callParticipants)
      .where(inArray(callParticipants.callId, ids))
      .orderBy(asc(callParticipants.position));
    return rows.map((row) => ({
      ...callOf(row, now),
      participants: seen
        .filter(({ callId }) => callId === row.callId)
        .map(({ identity, joinedAt, leftAt }) => participantOf(identity, joinedAt ?? undefined, leftAt ?? undefined)),
    }));
  }
}

function ofOwner(ownerDid: string, callId: string): SQL | undefined {
  return and(eq(calls.ownerDid, ownerDid), eq(calls.callId, callId));
}

function isOpenAt(now: Date): SQL | undefined {
  return and(isNull(calls.endedAt), gt(calls.expiresAt, now));
}

function callOf({ startedAt, endedAt, endReason, sealedKey: _key, position: _position, ...row }: Row, now: Date): Call {
  const { expiresAt } = row;
  const end = endedAt ?? (expiresAt <= now ? expiresAt : null);
  return {
    ...row,
    ...(startedAt === null ? {} : { startedAt }),
    ...(end === null ? {} : { end: { at: end, reason: endReason ?? 'expired' } }),
    participants: [],
  };
}

function openCallOf(row: Row): OpenCall {
  return { ...callOf(row, row.createdAt), sealedKey: row.sealedKey ?? '' };
}
