import type { QueryClient } from '@tanstack/react-query';
import { memoriesKey } from '../memories/memories-key.js';
import { preferencesKey } from '../preferences/preferences-key.js';
import type { OracleCredentials } from '../provider/oracle-credentials.js';
import type { OracleConnection } from '../requests/oracle-connection.js';
import { refreshSessions } from '../sessions/refresh-sessions.js';
import { ChatSession, type ChatSessionParts } from './chat-session.js';

export interface ChatPlace {
  readonly oracleDid: string;
  readonly apiUrl: string;
  readonly socketUrl: string;
  readonly sessionId: string;
}

/** What the chats of one user have in common. */
export interface ChatsParts {
  readonly userDid: string;
  /** Somebody else acts for the user: what waits for the user's word is not theirs to see or to settle. */
  readonly isActing: boolean;
  readonly connect: (oracleDid: string, baseUrl: string) => OracleConnection;
  readonly credentials: (oracleDid: string) => OracleCredentials;
  readonly actions: ChatSessionParts['actions'];
  readonly queryClient: QueryClient;
}

/** Chats that are kept for whoever comes back to them. */
const keptChats = 20;

/** The chats of one user. Whoever opens the same chat gets the same. */
export class Chats {
  readonly #parts: ChatsParts;
  readonly #chats = new Map<string, ChatSession>();

  constructor(parts: ChatsParts) {
    this.#parts = parts;
  }

  open({ oracleDid, apiUrl, socketUrl, sessionId }: ChatPlace): ChatSession {
    const key = JSON.stringify([oracleDid, apiUrl, socketUrl, sessionId]);
    const { connect, credentials, actions, queryClient, userDid, isActing } = this.#parts;
    const chat =
      this.#chats.get(key) ??
      new ChatSession({
        connection: connect(oracleDid, apiUrl),
        credentials: credentials(oracleDid),
        socketUrl,
        ...{ sessionId, userDid, oracleDid },
        actions,
        mayDecide: !isActing,
        onTurnEnd: () => {
          void refreshSessions(queryClient, { userDid, oracleDid, sessionId });
          for (const keyOf of [memoriesKey, preferencesKey]) {
            void queryClient.invalidateQueries({ queryKey: keyOf(userDid, oracleDid) });
          }
        },
      });
    // The newest comes last.
    this.#chats.delete(key);
    this.#chats.set(key, chat);
    this.#forgetOldest();
    return chat;
  }

  #forgetOldest(): void {
    for (const [key, chat] of this.#chats) {
      if (this.#chats.size <= keptChats) return;
      if (!chat.isShown) this.#chats.delete(key);
    }
  }
}
