import { errorCodeOf } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { isStorable } from '../../store/storable.js';
import type { PluginDatabase } from '../api/plugin-storage.js';
import {
  type Call,
  type CallStore,
  type EndReason,
  type NewCall,
  type OpenCall,
  openCallLimit,
  participantLimit,
  participantOf,
} from './call-store.js';
import { callParticipants, calls } from './schema.js';

type Row = typeof calls.$inferSelect;
/** SQLSTATE of a violated foreign key. */
const noSuchSession = '23503';

/** Calls in Postgres or PGlite. */
export function sqlCallStore(db: PluginDatabase): CallStore {
  function openOf({ ownerDid, createdAt }: NewCall, which?: SQL): Promise<Row[]> {
    return db
      .select()
      .from(calls)
      .where(and(eq(calls.ownerDid, ownerDid), which, isOpenAt(createdAt)));
  }

  async function end(which: SQL | undefined, at: Date | SQL, endReason: EndReason): Promise<void> {
    await db.update(calls).set({ endedAt: at, endReason, sealedKey: null }).where(which);
  }

  /** Marks expired calls as ended and deletes their keys: those of this owner, and a few of others. */
  async function endExpired({ ownerDid, createdAt }: NewCall): Promise<void> {
    const isOver = and(isNull(calls.endedAt), lte(calls.expiresAt, createdAt));
    const others = db
      .select({ callId: calls.callId })
      .from(calls)
      .where(isOver)
      .limit(100)
      .for('update', { skipLocked: true });
    for (const which of [eq(calls.ownerDid, ownerDid), inArray(calls.callId, others)]) {
      await end(and(isOver, which), sql`${calls.expiresAt}`, 'expired');
    }
  }

  async function withParticipants(rows: readonly Row[], now: Date): Promise<Call[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ callId }) => callId);
    const seen = await db
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

  const store: CallStore = {
    async start(call) {
      if (!isStorable(call.sessionId)) return { kind: 'no_session' };
      await endExpired(call);
      const open = await openOf(call);
      const before = open.find(({ sessionId }) => sessionId === call.sessionId);
      if (before !== undefined) return { kind: 'already_open', call: openCallOf(before) };
      if (open.length >= openCallLimit) return { kind: 'too_many' };
      try {
        // The unique index admits one of several concurrent calls; the insert waits while the session is being deleted.
        const [row] = await db.insert(calls).values(call).onConflictDoNothing().returning();
        if (row !== undefined) return { kind: 'started', call: openCallOf(row) };
      } catch (error) {
        if (errorCodeOf(error) === noSuchSession) return { kind: 'no_session' };
        throw error;
      }
      const [winner] = await openOf(call, eq(calls.sessionId, call.sessionId));
      if (winner === undefined) throw new Error('the conflicting call has ended in the meantime');
      return { kind: 'already_open', call: openCallOf(winner) };
    },

    async find(ownerDid, callId, now) {
      if (!isStorable(callId)) return undefined;
      const rows = await db.select().from(calls).where(ofOwner(ownerDid, callId));
      const [call] = await withParticipants(rows, now);
      return call;
    },

    async list(ownerDid, { sessionId, limit, offset }, now) {
      const ofSession = sessionId === undefined ? undefined : eq(calls.sessionId, sessionId);
      const fits = and(eq(calls.ownerDid, ownerDid), ofSession);
      const rows = await db.select().from(calls).where(fits).orderBy(desc(calls.position)).limit(limit).offset(offset);
      const [counted] = await db.select({ total: count() }).from(calls).where(fits);
      return { calls: await withParticipants(rows, now), total: counted?.total ?? 0 };
    },

    async end(ownerDid, callId, at) {
      if (!isStorable(callId)) return undefined;
      await end(and(ofOwner(ownerDid, callId), isOpenAt(at)), at, 'hung_up');
      return store.find(ownerDid, callId, at);
    },

    async removeAll(ownerDid) {
      const removed = await db.delete(calls).where(eq(calls.ownerDid, ownerDid)).returning({ callId: calls.callId });
      return removed.length;
    },

    async findOpen(callId, now) {
      if (!isStorable(callId)) return undefined;
      const [row] = await db
        .select()
        .from(calls)
        .where(and(eq(calls.callId, callId), isOpenAt(now)));
      return row && openCallOf(row);
    },

    sight: (callId, { identity, did, at }) =>
      db.transaction(async (tx) => {
        // Serializes the events of a room, so that the count below is still valid at the write.
        const told = await tx
          .update(calls)
          .set({ startedAt: sql`least(${calls.startedAt}, ${at.toISOString()}::timestamptz)` })
          .where(eq(calls.callId, callId))
          .returning({ callId: calls.callId });
        if (told.length === 0) return;
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
      }),

    closeRoom: (callId, at) => end(and(eq(calls.callId, callId), isOpenAt(at)), at, 'room_closed'),
  };
  return store;
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
