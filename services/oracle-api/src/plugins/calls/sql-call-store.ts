import { errorCodeOf } from '@mlango/service-kit/database';
import { and, asc, count, desc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { PluginDatabase } from '../../plugin-kit/plugin-tables.js';
import {
  type Call,
  type CallStore,
  type NewCall,
  type OpenCall,
  openCallLimit,
  participantLimit,
  participantOf,
  type Sighting,
  type StartResult,
} from './call-store.js';
import { callParticipants, calls } from './schema.js';

type Row = typeof calls.$inferSelect;
/** SQLSTATE: what a row refers to is not there. */
const noSuchSession = '23503';

/** Calls in Postgres or PGlite. */
export class SqlCallStore implements CallStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async start(call: NewCall): Promise<StartResult> {
    if (call.sessionId.includes('\u0000')) return { kind: 'no_session' };
    await this.#endExpired(call);
    const open = await this.#openOf(call);
    const before = open.find(({ sessionId }) => sessionId === call.sessionId);
    if (before !== undefined) return { kind: 'already_open', call: openCallOf(before) };
    if (open.length >= openCallLimit) return { kind: 'too_many' };
    try {
      // Of many at once the table lets one in, and waits for a session that is being deleted.
      const [row] = await this.#db.insert(calls).values(call).onConflictDoNothing().returning();
      if (row !== undefined) return { kind: 'started', call: openCallOf(row) };
    } catch (error) {
      if (errorCodeOf(error) === noSuchSession) return { kind: 'no_session' };
      throw error;
    }
    const [winner] = await this.#openOf(call, call.sessionId);
    if (winner === undefined) throw new Error('the call that stood in the way has ended meanwhile');
    return { kind: 'already_open', call: openCallOf(winner) };
  }

  async #openOf({ ownerDid, createdAt }: NewCall, sessionId?: string): Promise<Row[]> {
    const ofSession = sessionId === undefined ? undefined : eq(calls.sessionId, sessionId);
    return this.#db
      .select()
      .from(calls)
      .where(and(eq(calls.ownerDid, ownerDid), ofSession, isOpenAt(createdAt)));
  }

  /** Writes down what is so already, and forgets the keys: of this owner, and of a few others on the way. */
  async #endExpired({ ownerDid, createdAt }: NewCall): Promise<void> {
    const isOver = and(isNull(calls.endedAt), lte(calls.expiresAt, createdAt));
    const others = this.#db
      .select({ callId: calls.callId })
      .from(calls)
      .where(isOver)
      .limit(100)
      .for('update', { skipLocked: true });
    for (const which of [eq(calls.ownerDid, ownerDid), inArray(calls.callId, others)]) {
      await this.#db
        .update(calls)
        .set({ endedAt: sql`${calls.expiresAt}`, endReason: 'expired', sealedKey: null })
        .where(and(isOver, which));
    }
  }

  async find(ownerDid: string, callId: string, now: Date): Promise<Call | undefined> {
    if (callId.includes('\u0000')) return undefined;
    const rows = await this.#db.select().from(calls).where(ofOwner(ownerDid, callId));
    const [call] = await this.#withParticipants(rows, now);
    return call;
  }

  async list(
    ownerDid: string,
    { sessionId, limit, offset }: { sessionId?: string | undefined; limit: number; offset: number },
    now: Date,
  ) {
    const fits = and(
      eq(calls.ownerDid, ownerDid),
      sessionId === undefined ? undefined : eq(calls.sessionId, sessionId),
    );
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

  async end(ownerDid: string, callId: string, at: Date): Promise<Call | undefined> {
    if (callId.includes('\u0000')) return undefined;
    await this.#db
      .update(calls)
      .set({ endedAt: at, endReason: 'hung_up', sealedKey: null })
      .where(and(ofOwner(ownerDid, callId), isOpenAt(at)));
    return this.find(ownerDid, callId, at);
  }

  async removeAll(ownerDid: string): Promise<number> {
    const removed = await this.#db
      .delete(calls)
      .where(eq(calls.ownerDid, ownerDid))
      .returning({ callId: calls.callId });
    return removed.length;
  }

  async findOpen(callId: string, now: Date): Promise<OpenCall | undefined> {
    const [row] = await this.#db
      .select()
      .from(calls)
      .where(and(eq(calls.callId, callId), isOpenAt(now)));
    return row && openCallOf(row);
  }

  async sight(callId: string, { identity, did, at }: Sighting): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // In turn with what else is seen in this room, so that the count below holds.
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
    });
  }

  async closeRoom(callId: string, at: Date): Promise<void> {
    await this.#db
      .update(calls)
      .set({ endedAt: at, endReason: 'room_closed', sealedKey: null })
      .where(and(eq(calls.callId, callId), isOpenAt(at)));
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

function callOf(row: Row, now: Date): Call {
  const { callId, ownerDid, sessionId, kind, createdAt, expiresAt, startedAt } = row;
  const end = endOf(row, now);
  return {
    callId,
    ownerDid,
    sessionId,
    kind,
    createdAt,
    expiresAt,
    ...(startedAt === null ? {} : { startedAt }),
    ...(end === undefined ? {} : { end }),
    participants: [],
  };
}

function endOf({ endedAt, endReason, expiresAt }: Row, now: Date): Call['end'] {
  if (endedAt !== null) return { at: endedAt, reason: endReason ?? 'expired' };
  return expiresAt <= now ? { at: expiresAt, reason: 'expired' } : undefined;
}

function openCallOf(row: Row): OpenCall {
  return { ...callOf(row, row.createdAt), sealedKey: row.sealedKey ?? '' };
}
