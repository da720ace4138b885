import { isRecord } from '../requests/values.js';
import type { LiveTurn, SentMessage } from './live-turn.js';

/** Key in the local storage. */
const place = 'mlango unsent';
/** The oldest is forgotten for one more. */
const mostMessages = 50;

type Told = Pick<LiveTurn, 'phase' | 'requestId' | 'sent'>;

interface Kept {
  /** Of the chat that it is for. */
  readonly chat: string;
  readonly requestId: string;
  readonly sent: SentMessage;
}

/**
 * Messages of one chat that did not get to the oracle, or are on their way: kept in this browser, so that a reload loses none. A browser that
 * keeps nothing for this page goes without.
 */
export class UnsentMessages {
  readonly #chat: string;
  /** By request id; what this page keeps. */
  #own = new Map<string, SentMessage>();

  /** @param chat the same for the same user, oracle and session */
  constructor(chat: string) {
    this.#chat = chat;
  }

  /** The stored messages as turns, to be sent again or edited. */
  read(): Omit<LiveTurn, 'draft'>[] {
    const turns = allKept().filter(({ chat }) => chat === this.#chat);
    this.#own = new Map(turns.map(({ requestId, sent }) => [requestId, sent]));
    return turns.map(({ requestId, sent }) => {
      const { attachments } = sent;
      return { requestId, phase: 'unsent', sent, options: attachments === undefined ? {} : { attachments } };
    });
  }

  /** Keeps those of the turns that did not arrive, and forgets what has. @param answered whether an answer of that id is known */
  note(turns: readonly Told[], answered: (requestId: string) => boolean = () => false): void {
    const now = new Map<string, SentMessage>();
    for (const { phase, requestId, sent } of turns) {
      if (sent !== undefined && (phase === 'sending' || phase === 'unsent') && !answered(requestId))
        now.set(requestId, sent);
    }
    const isSame = now.size === this.#own.size && [...now].every(([id, sent]) => this.#own.get(id) === sent);
    if (isSame) return;
    // Other tabs keep theirs.
    const others = allKept().filter(({ requestId }) => !this.#own.has(requestId) && !now.has(requestId));
    const own = [...now].map(([requestId, sent]) => ({ chat: this.#chat, requestId, sent }));
    this.#own = now;
    try {
      localStorage.setItem(place, JSON.stringify([...others, ...own].slice(-mostMessages)));
    } catch {
      // Full, or switched off.
    }
  }
}

function allKept(): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(kept: unknown): kept is Kept {
  if (!isRecord(kept) || typeof kept['chat'] !== 'string' || typeof kept['requestId'] !== 'string') return false;
  const { sent } = kept;
  if (!isRecord(sent) || (sent['attachments'] !== undefined && !Array.isArray(sent['attachments']))) return false;
  return ['id', 'text', 'createdAt'].every((name) => typeof sent[name] === 'string');
}
