import { isRecord } from '../requests/values.js';
import type { LiveTurn, SentMessage } from './live-turn.js';

/** Key in the local storage. */
const place = 'mlango unsent';
/** The oldest is forgotten for one more. */
const mostMessages = 50;

type UnsentTurn = Pick<LiveTurn, 'phase' | 'requestId' | 'sent'>;

interface StoredMessage {
  /** The key of its chat. */
  readonly chat: string;
  readonly requestId: string;
  readonly sent: SentMessage;
}

/**
 * The messages of one chat that are unsent or being sent, in the local storage, so that a reload loses none. Without storage they
 * are in memory only.
 */
export class UnsentMessages {
  readonly #chat: string;
  /** By request id; the messages of this page. */
  #own = new Map<string, SentMessage>();

  /** @param chat the same for the same user, oracle and session */
  constructor(chat: string) {
    this.#chat = chat;
  }

  /** The stored messages as turns, to be sent again or edited. */
  read(): Omit<LiveTurn, 'draft'>[] {
    const turns = allStored().filter(({ chat }) => chat === this.#chat);
    this.#own = new Map(turns.map(({ requestId, sent }) => [requestId, sent]));
    return turns.map(({ requestId, sent }) => {
      const { attachments } = sent;
      return { requestId, phase: 'unsent', sent, options: attachments === undefined ? {} : { attachments } };
    });
  }

  /** Stores the messages of unsent turns, and removes acknowledged ones. @param answered whether an answer of that id is known */
  note(turns: readonly UnsentTurn[], answered: (requestId: string) => boolean = () => false): void {
    const now = new Map<string, SentMessage>();
    for (const { phase, requestId, sent } of turns) {
      if (sent !== undefined && (phase === 'sending' || phase === 'unsent') && !answered(requestId))
        now.set(requestId, sent);
    }
    const isSame = now.size === this.#own.size && [...now].every(([id, sent]) => this.#own.get(id) === sent);
    if (isSame) return;
    // Other tabs store their own.
    const others = allStored().filter(({ requestId }) => !this.#own.has(requestId) && !now.has(requestId));
    const own = [...now].map(([requestId, sent]) => ({ chat: this.#chat, requestId, sent }));
    this.#own = now;
    try {
      localStorage.setItem(place, JSON.stringify([...others, ...own].slice(-mostMessages)));
    } catch {
      // Full, or switched off.
    }
  }
}

function allStored(): StoredMessage[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isStored) : [];
  } catch {
    return [];
  }
}

function isStored(stored: unknown): stored is StoredMessage {
  if (!isRecord(stored) || typeof stored['chat'] !== 'string' || typeof stored['requestId'] !== 'string') return false;
  const { sent } = stored;
  if (!isRecord(sent) || (sent['attachments'] !== undefined && !Array.isArray(sent['attachments']))) return false;
  return ['id', 'text', 'createdAt'].every((name) => typeof sent[name] === 'string');
}
