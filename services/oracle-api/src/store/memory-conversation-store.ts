import type { AddMessageResult, ConversationStore, StoredMessage, StoredSession } from './conversation-store.js';

interface Entry {
  readonly ownerDid: string;
  session: StoredSession;
  readonly messages: StoredMessage[];
}

/** Conversations of one process, gone with it: for tests of what stands on the port. */
export class MemoryConversationStore implements ConversationStore {
  readonly #entries = new Map<string, Entry>();

  async createSession(ownerDid: string, session: { sessionId: string; createdAt: Date }): Promise<StoredSession> {
    if (this.#entries.has(session.sessionId)) throw new Error('a session with this id exists');
    const stored = { ...session, lastUpdatedAt: session.createdAt };
    this.#entries.set(session.sessionId, { ownerDid, session: stored, messages: [] });
    return stored;
  }

  async findSession(ownerDid: string, sessionId: string): Promise<StoredSession | undefined> {
    return this.#owned(ownerDid, sessionId)?.session;
  }

  async listSessions(ownerDid: string, page: { limit: number; offset: number }) {
    const all = [...this.#entries.values()]
      .filter((entry) => entry.ownerDid === ownerDid)
      .map((entry) => entry.session)
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

  async addMessage(ownerDid: string, sessionId: string, message: StoredMessage): Promise<AddMessageResult> {
    const entry = this.#owned(ownerDid, sessionId);
    if (entry === undefined) return 'absent';
    if (entry.messages.some((other) => other.messageId === message.messageId)) return 'duplicate';
    entry.messages.push({ ...message });
    entry.session = touched(entry.session, message.createdAt);
    return 'added';
  }

  async newestMessages(ownerDid: string, sessionId: string, limit: number): Promise<StoredMessage[]> {
    const all = this.#owned(ownerDid, sessionId)?.messages ?? [];
    return all.slice(Math.max(0, all.length - limit));
  }

  #owned(ownerDid: string, sessionId: string): Entry | undefined {
    const entry = this.#entries.get(sessionId);
    return entry?.ownerDid === ownerDid ? entry : undefined;
  }
}

function touched(session: StoredSession, at: Date): StoredSession {
  return at > session.lastUpdatedAt ? { ...session, lastUpdatedAt: at } : session;
}

function newestActivityFirst(a: StoredSession, b: StoredSession): number {
  const byTime = b.lastUpdatedAt.getTime() - a.lastUpdatedAt.getTime();
  if (byTime !== 0) return byTime;
  return a.sessionId < b.sessionId ? 1 : -1;
}
