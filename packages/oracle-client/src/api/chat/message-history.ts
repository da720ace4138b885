import type { OracleConnection } from '../requests/oracle-connection.js';
import { isNotFound } from '../requests/request-error.js';
import { withRetries } from '../requests/retry.js';
import { errorOf } from '../requests/values.js';
import { type MessagePage, type MessageRecord, readPage } from './message-record.js';

/** Turns of one page. */
const pageTurns = 20;
const attempts = 3;

/** The stored messages of one conversation that were read. */
export class MessageHistory {
  readonly #connection: OracleConnection;
  readonly #sessionId: string;
  readonly #onChange: () => void;
  #known: MessagePage | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #hasPages = true;
  #readingEarlier: Promise<void> | undefined;
  #hiddenFrom: string | undefined;
  error: Error | undefined;

  constructor(connection: OracleConnection, sessionId: string, onChange: () => void) {
    this.#connection = connection;
    this.#sessionId = sessionId;
    this.#onChange = onChange;
  }

  get records(): readonly MessageRecord[] {
    const messages = this.#known?.messages ?? [];
    const end = messages.findIndex(({ id }) => id === this.#hiddenFrom);
    return end === -1 ? messages : messages.slice(0, end);
  }

  /** Hides the messages from this one on, while the oracle may still list those of the replaced branch. */
  hideFrom(messageId: string | undefined): void {
    this.#hiddenFrom = messageId;
    this.#onChange();
  }

  get hasEarlier(): boolean {
    return this.#known !== undefined && this.#known.prevCursor !== null;
  }

  /** Before the first read. */
  get isLoading(): boolean {
    return this.#known === undefined && this.error === undefined;
  }

  /** Reads the newest messages. Never rejects: `error` has the reason. */
  refresh(signal: AbortSignal): Promise<void> {
    if (this.#reading !== undefined) {
      // A request in flight may have started before the latest change.
      this.#isStale = true;
      return this.#reading;
    }
    const reading = this.#readNewest(signal).finally(() => {
      this.#reading = undefined;
      this.#onChange();
    });
    this.#reading = reading;
    return reading;
  }

  /** Reads the messages before the known ones. Rejects if that fails. */
  loadEarlier(signal: AbortSignal): Promise<void> {
    this.#readingEarlier ??= this.#readEarlier(signal).finally(() => {
      this.#readingEarlier = undefined;
    });
    return this.#readingEarlier;
  }

  async #readNewest(signal: AbortSignal): Promise<void> {
    do {
      this.#isStale = false;
      try {
        const newest = await withRetries(() => this.#page('', signal), { attempts, signal });
        this.#known = joinNewest(this.#known, newest);
        this.error = undefined;
      } catch (error) {
        if (signal.aborted) return;
        this.error = errorOf(error);
      }
      if (this.#isStale) this.#onChange();
    } while (this.#isStale && !signal.aborted);
  }

  async #readEarlier(signal: AbortSignal): Promise<void> {
    const cursor = this.#known?.prevCursor;
    if (cursor === undefined || cursor === null) return;
    const earlier = await this.#page(`&before=${encodeURIComponent(cursor)}`, signal);
    if (this.#known === undefined || this.#known.prevCursor !== cursor) return;
    this.#known = joinEarlier(this.#known, earlier);
    this.#onChange();
  }

  /** Not all oracles have pages: the others list all messages at once. */
  async #page(query: string, signal: AbortSignal): Promise<MessagePage> {
    if (this.#hasPages) {
      try {
        const path = `/sessions/${this.#sessionId}/messages?limit=${pageTurns}${query}`;
        return readPage(await this.#connection.json(path, { signal }), this.#sessionId);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        this.#hasPages = false;
      }
    }
    return readPage(await this.#connection.json(`/messages/${this.#sessionId}`, { signal }), this.#sessionId);
  }
}

/**
 * The known part of a conversation after its newest page was read again. Older messages stay where the page reaches back to them;
 * unchanged messages stay the same objects, so that they are not rendered again. Pure.
 */
export function joinNewest(known: MessagePage | undefined, newest: MessagePage): MessagePage {
  if (known === undefined) return newest;
  const byId = new Map(known.messages.map((record) => [record.id, record]));
  const fresh = newest.messages.map((record) => reuseRecord(byId.get(record.id), record));
  const first = newest.messages[0];
  const at = first === undefined ? -1 : known.messages.findIndex(({ id }) => id === first.id);
  // Without overlap there may be a gap, so older messages are dropped.
  if (at <= 0) return { messages: fresh, prevCursor: newest.prevCursor };
  return { messages: [...known.messages.slice(0, at), ...fresh], prevCursor: known.prevCursor };
}

/** The same after the page before it was read. */
export function joinEarlier(known: MessagePage, earlier: MessagePage): MessagePage {
  const ids = new Set(known.messages.map(({ id }) => id));
  const older = earlier.messages.filter(({ id }) => !ids.has(id));
  return { messages: [...older, ...known.messages], prevCursor: earlier.prevCursor };
}

function reuseRecord(before: MessageRecord | undefined, now: MessageRecord): MessageRecord {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
