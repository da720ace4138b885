import {
  type Call,
  type CallStore,
  type EndReason,
  type NewCall,
  type OpenCall,
  openCallLimit,
  participantLimit,
  participantOf,
  type Sighting,
  type StartResult,
} from './call-store.js';

interface Kept {
  readonly call: NewCall;
  end?: { at: Date; reason: EndReason };
  startedAt?: Date;
  readonly seen: Map<string, { joinedAt?: Date | undefined; leftAt?: Date | undefined }>;
}

type HasSession = (ownerDid: string, sessionId: string) => Promise<boolean>;

/** In-memory calls, for tests of code that depends on the port. */
export class MemoryCallStore implements CallStore {
  readonly #kept = new Map<string, Kept>();
  readonly #hasSession: HasSession;

  constructor(hasSession: HasSession) {
    this.#hasSession = hasSession;
  }

  async start(call: NewCall): Promise<StartResult> {
    if (!(await this.#hasSession(call.ownerDid, call.sessionId))) return { kind: 'no_session' };
    const open = [...this.#kept.values()].filter(
      (kept) => kept.call.ownerDid === call.ownerDid && endOf(kept, call.createdAt) === undefined,
    );
    const before = open.find((kept) => kept.call.sessionId === call.sessionId);
    if (before !== undefined) return { kind: 'already_open', call: openCallOf(before) };
    if (open.length >= openCallLimit) return { kind: 'too_many' };
    const kept: Kept = { call, seen: new Map() };
    this.#kept.set(call.callId, kept);
    return { kind: 'started', call: openCallOf(kept) };
  }

  async find(ownerDid: string, callId: string, now: Date): Promise<Call | undefined> {
    const kept = await this.#of(ownerDid, callId);
    return kept && callOf(kept, now);
  }

  async removeAll(ownerDid: string): Promise<number> {
    const theirs = [...this.#kept.values()].filter(({ call }) => call.ownerDid === ownerDid);
    for (const { call } of theirs) this.#kept.delete(call.callId);
    return theirs.length;
  }

  async list(
    ownerDid: string,
    { sessionId, limit, offset }: { sessionId?: string | undefined; limit: number; offset: number },
    now: Date,
  ) {
    const found: Call[] = [];
    for (const kept of [...this.#kept.values()].reverse()) {
      const { call } = kept;
      if (call.ownerDid !== ownerDid || (sessionId !== undefined && call.sessionId !== sessionId)) continue;
      if (await this.#hasSession(ownerDid, call.sessionId)) found.push(callOf(kept, now));
    }
    return { calls: found.slice(offset, offset + limit), total: found.length };
  }

  async end(ownerDid: string, callId: string, at: Date): Promise<Call | undefined> {
    const kept = await this.#of(ownerDid, callId);
    if (kept === undefined) return undefined;
    endNow(kept, at, 'hung_up');
    return callOf(kept, at);
  }

  async findOpen(callId: string, now: Date): Promise<OpenCall | undefined> {
    const kept = this.#kept.get(callId);
    if (kept === undefined || endOf(kept, now) !== undefined) return undefined;
    return (await this.#hasSession(kept.call.ownerDid, kept.call.sessionId)) ? openCallOf(kept) : undefined;
  }

  async sight(callId: string, { identity, did, at }: Sighting): Promise<void> {
    const kept = this.#kept.get(callId);
    if (kept === undefined) return;
    const before = kept.seen.get(identity);
    if (before === undefined && kept.seen.size >= participantLimit) return;
    kept.seen.set(identity, {
      joinedAt: did === 'join' ? latest(before?.joinedAt, at) : before?.joinedAt,
      leftAt: did === 'leave' ? latest(before?.leftAt, at) : before?.leftAt,
    });
    kept.startedAt = earliest(kept.startedAt, at);
  }

  async closeRoom(callId: string, at: Date): Promise<void> {
    const kept = this.#kept.get(callId);
    if (kept !== undefined) endNow(kept, at, 'room_closed');
  }

  async #of(ownerDid: string, callId: string): Promise<Kept | undefined> {
    const kept = this.#kept.get(callId);
    if (kept?.call.ownerDid !== ownerDid) return undefined;
    return (await this.#hasSession(ownerDid, kept.call.sessionId)) ? kept : undefined;
  }
}

function endOf({ call, end }: Kept, now: Date): Call['end'] {
  if (end !== undefined) return end;
  return call.expiresAt <= now ? { at: call.expiresAt, reason: 'expired' } : undefined;
}

function endNow(kept: Kept, at: Date, reason: EndReason): void {
  kept.end = endOf(kept, at) ?? { at, reason };
}

function callOf(kept: Kept, now: Date): Call {
  const { sealedKey: _, ...call } = kept.call;
  const end = endOf(kept, now);
  return {
    ...call,
    ...(kept.startedAt === undefined ? {} : { startedAt: kept.startedAt }),
    ...(end === undefined ? {} : { end }),
    participants: [...kept.seen].map(([identity, { joinedAt, leftAt }]) => participantOf(identity, joinedAt, leftAt)),
  };
}

function openCallOf(kept: Kept): OpenCall {
  return { ...callOf(kept, new Date(0)), sealedKey: kept.call.sealedKey };
}

function latest(one: Date | undefined, other: Date): Date {
  return one === undefined || one < other ? other : one;
}

function earliest(one: Date | undefined, other: Date): Date {
  return one === undefined || other < one ? other : one;
}
