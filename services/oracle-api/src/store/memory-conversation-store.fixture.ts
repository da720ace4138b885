import { isDeepStrictEqual } from 'node:util';
import { type Branch, isOnBranch, siblingsOf } from './branches.js';
import type {
  AddMessageResult,
  ConversationStore,
  NewSession,
  PlacedMessage,
  SessionChange,
  StoredMessage,
  StoredSession,
  StoredToolCall,
  TurnPage,
  TurnRange,
} from './sessions.js';
import { cursorOf, turnOf } from './turn-page.js';

interface Entry {
  readonly ownerDid: string;
  session: StoredSession;
  readonly messages: StoredMessage[];
}

interface Turn {
  readonly turnId: string;
  readonly place: number;
  readonly branch?: Branch;
  readonly messages: readonly StoredMessage[];
}

/** Conversation store in memory, for tests. */
export class MemoryConversationStore implements ConversationStore {
  readonly #entries = new Map<string, Entry>();

  async createSession(ownerDid: string, session: NewSession): Promise<StoredSession> {
    if (this.#entries.has(session.sessionId)) throw new Error('a session with this id exists');
    const stored = { ...session, lastUpdatedAt: session.createdAt };
    this.#entries.set(session.sessionId, { ownerDid, session: stored, messages: [] });
    return stored;
  }

  async createSessionUpTo(most: number, ownerDid: string, session: NewSession): Promise<StoredSession | 'full'> {
    const own = [...this.#entries.values()].filter((entry) => entry.ownerDid === ownerDid);
    const replaceable = own
      .filter((entry) => entry.session.isReplaceable === true && entry.messages.at(-1)?.type === 'ai')
      .map((entry) => entry.session);
    const oldest = replaceable.toSorted(newestActivityFirst).at(-1);
    if (own.length >= most && oldest === undefined) return 'full';
    if (own.length >= most && oldest !== undefined) this.#entries.delete(oldest.sessionId);
    return this.createSession(ownerDid, session);
  }

  async findSession(ownerDid: string, sessionId: string): Promise<StoredSession | undefined> {
    return this.#owned(ownerDid, sessionId)?.session;
  }

  async listSessions(ownerDid: string, page: { limit: number; offset: number; archived?: boolean }) {
    const all = [...this.#entries.values()]
      .filter((entry) => entry.ownerDid === ownerDid)
      .map((entry) => entry.session)
      .filter(({ archivedAt }) => (archivedAt !== undefined) === (page.archived ?? false))
      .sort(newestActivityFirst);
    return { sessions: all.slice(page.offset, page.offset + page.limit), total: all.length };
  }

  async deleteSession(ownerDid: string, sessionId: string): Promise<boolean> {
    return this.#owned(ownerDid, sessionId) !== undefined && this.#entries.delete(sessionId);
  }

  async setFirstTitle(ownerDid: string, sessionId: string, title: string, at: Date): Promise<boolean> {
    const entry = this.#owned(ownerDid, sessionId);
    if (entry === undefined || entry.session.title !== undefined) return false;
    entry.session = { ...touched(entry.session, at), title };
    return true;
  }

  async changeSession(ownerDid: string, sessionId: string, change: SessionChange): Promise<StoredSession | undefined> {
    const entry = this.#owned(ownerDid, sessionId);
    if (entry === undefined) return undefined;
    const { archivedAt: before, isReplaceable, ...rest } = entry.session;
    const isOwners = change.title !== undefined || change.archivedAt === null;
    const after = change.archivedAt === undefined ? before : change.archivedAt && (before ?? change.archivedAt);
    const title = change.title ?? rest.title;
    entry.session = {
      ...rest,
      ...(title === undefined ? {} : { title }),
      ...(after ? { archivedAt: after } : {}),
      ...(isReplaceable && !isOwners ? { isReplaceable } : {}),
    };
    return entry.session;
  }

  async addMessage(ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> {
    const entry = this.#owned(ownerDid, sessionId);
    if (entry === undefined) return 'absent';
    if (entry.messages.some((other) => other.messageId === message.messageId)) return 'duplicate';
    const { branch: given, ...rest } = message;
    const branch = given === undefined ? entry.session.branch : given;
    if (message.type === 'human') entry.session = onBranch(entry.session, branch);
    entry.messages.push({ ...rest, ...(message.type === 'human' && branch ? { branch } : {}) });
    entry.session = touched(entry.session, message.createdAt);
    return 'added';
  }

  async replaceAnswer(
    ownerDid: string,
    sessionId: string,
    message: StoredMessage,
    before?: readonly StoredToolCall[],
  ): Promise<boolean> {
    const kept = this.#owned(ownerDid, sessionId)?.messages ?? [];
    const place = kept.findIndex(({ messageId, type }) => messageId === message.messageId && type === 'ai');
    const old = kept[place];
    if (old === undefined) return false;
    if (before !== undefined && !isDeepStrictEqual(old.toolCalls, before)) return false;
    kept[place] = { ...message, createdAt: old.createdAt };
    return true;
  }

  async findMessage(ownerDid: string, sessionId: string, messageId: string): Promise<StoredMessage | undefined> {
    return this.#owned(ownerDid, sessionId)?.messages.find((message) => message.messageId === messageId);
  }

  async newestMessages(ownerDid: string, sessionId: string, limit: number): Promise<StoredMessage[]> {
    const all = this.#selected(ownerDid, sessionId).flatMap(({ messages }) => messages);
    return all.slice(Math.max(0, all.length - limit));
  }

  async messagesUpTo(
    ownerDid: string,
    sessionId: string,
    upTo: string,
    { limit, after }: { limit: number; after?: number },
  ): Promise<PlacedMessage[]> {
    const turns = this.#turns(ownerDid, sessionId);
    const last = turns.find(({ turnId }) => turnId === upTo);
    if (last === undefined) return [];
    const placed = turns
      .filter((turn) => turn.place > (after ?? 0) && turn.place <= last.place && isOnBranch(turn, last.branch))
      .flatMap(({ messages, place }) => messages.map((message) => ({ ...message, place })));
    return after === undefined ? placed.slice(-limit) : placed.slice(0, limit);
  }

  async pageOfTurns(ownerDid: string, sessionId: string, range: TurnRange): Promise<TurnPage | 'unknown_cursor'> {
    const turns = this.#selected(ownerDid, sessionId);
    const cursor = range.before ?? range.after;
    const named = this.#turns(ownerDid, sessionId).find(({ turnId }) => turnId === turnOf(cursor ?? ''));
    if (cursor !== undefined && named === undefined) return 'unknown_cursor';
    const edge = named?.place ?? Number.POSITIVE_INFINITY;
    const before = turns.filter(({ place }) => place < edge).length;
    const upTo = turns.filter(({ place }) => place <= edge).length;
    const start = range.after === undefined ? Math.max(0, before - range.limit) : upTo;
    const end = range.after === undefined ? before : start + range.limit;
    const page = turns.slice(start, end);
    const [first, last] = [page[0], page.at(-1)];
    return {
      messages: page.flatMap(({ messages }) => messages),
      ...(start > 0 && first !== undefined ? { olderCursor: cursorOf(first.turnId) } : {}),
      ...(end < turns.length && last !== undefined ? { newerCursor: cursorOf(last.turnId) } : {}),
    };
  }

  async findQuestion(ownerDid: string, sessionId: string, messageId: string): Promise<PlacedMessage | undefined> {
    const turn = this.#turns(ownerDid, sessionId).find(({ messages }) =>
      messages.some((message) => message.messageId === messageId),
    );
    const question = turn?.messages.find(({ type }) => type === 'human');
    return turn && question && { ...question, place: turn.place };
  }

  async branchTips(ownerDid: string, sessionId: string): Promise<PlacedMessage[]> {
    const tips = new Map<string | undefined, PlacedMessage>();
    for (const { messages, place } of this.#turns(ownerDid, sessionId)) {
      const question = messages.find(({ type }) => type === 'human');
      if (question !== undefined) tips.set(question.branch?.id, { ...question, place });
    }
    return [...tips.values()].sort((a, b) => b.place - a.place);
  }

  async selectBranch(ownerDid: string, sessionId: string, branch: Branch | null): Promise<boolean> {
    const entry = this.#owned(ownerDid, sessionId);
    if (entry === undefined) return false;
    entry.session = onBranch(entry.session, branch);
    return true;
  }

  async siblings(ownerDid: string, sessionId: string): Promise<ReadonlyMap<string, readonly string[]>> {
    return siblingsOf(this.#turns(ownerDid, sessionId).flatMap(({ messages }) => messages));
  }

  #selected(ownerDid: string, sessionId: string): Turn[] {
    const selected = this.#owned(ownerDid, sessionId)?.session.branch;
    return this.#turns(ownerDid, sessionId).filter((turn) => isOnBranch(turn, selected));
  }

  #turns(ownerDid: string, sessionId: string): Turn[] {
    const turns = new Map<string, StoredMessage[]>();
    for (const message of this.#owned(ownerDid, sessionId)?.messages ?? []) {
      turns.set(message.turnId, [...(turns.get(message.turnId) ?? []), message]);
    }
    return [...turns].map(([turnId, messages], at) => {
      const branch = messages.find(({ type }) => type === 'human')?.branch;
      return { turnId, messages, place: at + 1, ...(branch ? { branch } : {}) };
    });
  }

  #owned(ownerDid: string, sessionId: string): Entry | undefined {
    const entry = this.#entries.get(sessionId);
    return entry?.ownerDid === ownerDid ? entry : undefined;
  }
}

function onBranch({ branch: _before, ...session }: StoredSession, branch: Branch | null | undefined): StoredSession {
  return branch ? { ...session, branch } : session;
}

function touched(session: StoredSession, at: Date): StoredSession {
  return at > session.lastUpdatedAt ? { ...session, lastUpdatedAt: at } : session;
}

function newestActivityFirst(a: StoredSession, b: StoredSession): number {
  const byTime = b.lastUpdatedAt.getTime() - a.lastUpdatedAt.getTime();
  if (byTime !== 0) return byTime;
  return a.sessionId < b.sessionId ? 1 : -1;
}
