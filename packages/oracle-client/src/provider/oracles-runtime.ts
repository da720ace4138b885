import type { QueryClient } from '@tanstack/react-query';
import type { MountedAction } from '../actions/action.js';
import type { UiComponents } from '../chat/chat-options.js';
import { Chats } from '../chat/chats.js';
import { OracleConnection } from '../requests/oracle-connection.js';
import { PendingDeletes } from '../undo/pending-deletes.js';
import { KeptTokens } from './kept-tokens.js';
import { MountedValues } from './mounted-values.js';
import { OracleCredentials } from './oracle-credentials.js';
import type { IWallet, SignArtifact } from './wallet.js';

export interface RuntimeParts {
  readonly wallet: IWallet;
  readonly createDelegation: SignArtifact;
  readonly createInvocation: SignArtifact | undefined;
  readonly queryClient: QueryClient;
}

/** An invocation lives for minutes, a delegation for days. */
const marginMs = { invocation: 60_000, delegation: 300_000 };

/** What the hooks below one provider have in common, for one user. Does nothing until it is asked for something. */
export class OraclesRuntime {
  readonly queryClient: QueryClient;
  readonly userDid: string;
  readonly isActing: boolean;
  /** What agents may have done in the page, by name. */
  readonly actions = new MountedValues<MountedAction>();
  /** What shows components of messages, by session. */
  readonly components = new MountedValues<UiComponents>();
  readonly chats: Chats;
  readonly invocations: KeptTokens | undefined;
  readonly delegations: KeptTokens;
  readonly #wallet: IWallet;
  readonly #deletes = new Map<string, PendingDeletes>();

  constructor({ wallet, createDelegation, createInvocation, queryClient }: RuntimeParts) {
    this.queryClient = queryClient;
    this.#wallet = wallet;
    this.userDid = wallet.did;
    this.isActing = wallet.actor !== undefined;
    const nowMs = Date.now;
    this.delegations = new KeptTokens({ sign: createDelegation, nowMs, marginMs: marginMs.delegation });
    this.invocations =
      createInvocation && new KeptTokens({ sign: createInvocation, nowMs, marginMs: marginMs.invocation });
    this.chats = new Chats(this);
  }

  readonly credentials = (oracleDid: string): OracleCredentials => {
    const { invocations, delegations } = this;
    return new OracleCredentials({ wallet: this.#wallet, invocations, delegations }, oracleDid);
  };

  readonly connect = (oracleDid: string, baseUrl: string): OracleConnection =>
    new OracleConnection(baseUrl, this.credentials(oracleDid));

  /** What the user has deleted of a kind of things, and can take back. */
  readonly pendingDeletes = (of: string): PendingDeletes => {
    const known = this.#deletes.get(of) ?? new PendingDeletes(`${this.userDid} ${of}`);
    this.#deletes.set(of, known);
    return known;
  };
}
