import type { RunStart } from '../../runs/run-store.js';
import type { StoredAttachment } from '../../store/conversation-store.js';

/** A call of something that runs in the user's tab: a browser tool, or an AG-UI action. */
export interface FrontendCall {
  readonly kind: 'browser_tool' | 'action';
  /** Unique for each call, also within one turn. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What came back, or why nothing did, in words that a model can explain. */
export type FrontendAnswer =
  | {
      readonly ok: true;
      readonly result: unknown;
      /** Files of the result, which the model sees with it. */
      readonly attachments?: readonly StoredAttachment[];
      /** The call is made by whoever sent the message, after the turn. */
      readonly isHandedOver?: boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** The arguments did not fit, so nothing was called. */
      readonly isBadCall?: boolean;
      /** The call was made, and nobody knows whether it took effect. */
      readonly isUnknown?: boolean;
      /** Nothing was done: the user has to allow it first. */
      readonly asks?: { readonly title: string; readonly reason: string };
    };

/**
 * Calls into the user's tab, wherever in the cluster its socket is.
 *
 * The call sends `browser_tool_call`, or `action_call` with `isRunning`, itself and to one socket; listeners of the turn
 * that are told of the same event do not send it again.
 * Failure: never rejects. No socket, no answer in time and an aborted `signal` are answers with `ok: false`.
 */
export interface FrontendCalls {
  call(turn: RunStart, call: FrontendCall, signal: AbortSignal): Promise<FrontendAnswer>;
}
