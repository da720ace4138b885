import type { QueryClient } from '@tanstack/react-query';
import { ChatSession, type ChatSessionParts } from './chat/chat-session.js';
import type { UiComponents } from './chat-options.js';
import { OracleCredentials } from './identity/oracle-credentials.js';
import { TokenCache } from './identity/token-cache.js';
import type { IWallet, SignArtifact } from './identity/wallet.js';
import { MountedValues } from './mounted-values.js';
import { memoriesKey, preferencesKey } from './query-keys.js';
import { OracleConnection } from './requests/oracle-connection.js';
import { refreshSessions } from './sessions.js';
import type { MountedAction } from './tools/action.js';

export interface RuntimeParts {
  readonly wallet: IWallet;
  readonly createDelegation: SignArtifact;
  readonly createInvocation: SignArtifact | undefined;
  readonly queryClient: QueryClient;
}

/** An invocation is valid for minutes, a delegation for days. */
const marginMs = { invocation: 60_000, delegation: 300_000 };

/** State shared by the hooks below one provider, for one user. Lazy: does nothing until a hook needs it. */
export class OraclesRuntime {
  readonly queryClient: QueryClient;
  readonly userDid: string;
  readonly isActing: boolean;
  /** The actions that agents may run in the page, by name. */
  readonly actions = new MountedValues<MountedAction>();
  /** The renderers of message components, by session. */
  readonly components = new MountedValues<UiComponents>();
  readonly chats: Chats;
  readonly invocations: TokenCache | undefined;
  readonly delegations: TokenCache;
  readonly #wallet: IWallet;

  constructor({ wallet, createDelegation, createInvocation, queryClient }: RuntimeParts) {
    this.queryClient = queryClient;
    this.#wallet = wallet;
    this.userDid = wallet.did;
    this.isActing = wallet.actor !== undefined;
    const nowMs = Date.now;
    this.delegations = new TokenCache({ sign: createDelegation, nowMs, marginMs: marginMs.delegation });
    this.invocations =
      createInvocation && new TokenCache({ sign: createInvocation, nowMs, marginMs: marginMs.invocation });
    this.chats = new Chats(this);
  }

  readonly credentials = (oracleDid: string): OracleCredentials => {
    const { invocations, delegations } = this;
    return new OracleCredentials({ wallet: this.#wallet, invocations, delegations }, oracleDid);
  };

  readonly connect = (oracleDid: string, baseUrl: string): OracleConnection =>
    new OracleConnection(baseUrl, this.credentials(oracleDid));
}

export interface ChatPlace {
  readonly oracleDid: string;
  readonly apiUrl: string;
  readonly socketUrl: string;
  readonly sessionId: string;
}

/** The shared parts of one user's chats. */
export interface ChatsParts {
  readonly userDid: string;
  /** True for an actor: approvals belong to the user only. */
  readonly isActing: boolean;
  readonly connect: (oracleDid: string, baseUrl: string) => OracleConnection;
  readonly credentials: (oracleDid: string) => OracleCredentials;
  readonly actions: ChatSessionParts['actions'];
  readonly queryClient: QueryClient;
}

/** Number of closed chats to keep in memory. */
const maxChats = 20;

/** The chats of one user. The same session returns the same chat. */
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
        sessionId,
        userDid,
        oracleDid,
        actions,
        mayDecide: !isActing,
        onTurnEnd: () => {
          void refreshSessions(queryClient, { userDid, oracleDid, sessionId });
          for (const keyOf of [memoriesKey, preferencesKey]) {
            void queryClient.invalidateQueries({ queryKey: keyOf(userDid, oracleDid) });
          }
        },
      });
    // The newest is last.
    this.#chats.delete(key);
    this.#chats.set(key, chat);
    this.#forgetOldest();
    return chat;
  }

  #forgetOldest(): void {
    for (const [key, chat] of this.#chats) {
      if (this.#chats.size <= maxChats) return;
      if (!chat.isShown) this.#chats.delete(key);
    }
  }
}
