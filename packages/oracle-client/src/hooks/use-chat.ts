import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ApprovalDecision, IApproval } from '../api/approvals.js';
import type { ChatSession } from '../api/chat/chat-session.js';
import { emptySnapshot, type IRun } from '../api/chat/chat-snapshot.js';
import type { ChatStatus, IMessage } from '../api/chat/message.js';
import type { IRunRecord } from '../api/chat/run-records.js';
import type { EndpointOverrides, IChatOptions, SendOptions, UiComponents } from '../api/chat-options.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useMountedValue } from './use-ag-action.js';
import { type IAttachments, useAttachments } from './use-attachments.js';
import { useLatest } from './use-latest.js';
import { useOracleEndpoints } from './use-oracle-endpoints.js';

export interface IChat extends IAttachments {
  /** Oldest first, including the running answer. */
  readonly messages: IMessage[];
  /**
   * Sends a message. Never throws: failures are in `sendMessageError`, including a chat without a session, and an oracle that is
   * not found yet.
   */
  readonly sendMessage: (message: string, options?: SendOptions) => void;
  /**
   * Rewords a message of the user: on a new branch, which is shown from then on; an unsent message is replaced. Works as
   * `sendMessage`, and throws if there is no such message.
   */
  readonly edit: (messageId: string, message: string, options?: SendOptions) => void;
  /** Regenerates an answer, by the id of the message or of its answer. Otherwise like `edit`. */
  readonly regenerate: (messageId: string, options?: Omit<SendOptions, 'attachments'>) => void;
  /** Sends an unsent message, one with `isUnsent`, again, unchanged. Throws if there is no such message. */
  readonly resend: (messageId: string) => void;
  /** Shows of the branches that a message is on the newest: one of `siblings`, for instance. Rejects when the oracle does not. */
  readonly selectBranch: (messageId: string) => Promise<void>;
  /** Stops the answer; its text so far is stored. Rejects when the oracle is unreachable. */
  readonly abortStream: () => Promise<void>;
  /** `error` when the last message could not be sent. */
  readonly status: ChatStatus;
  /** A message is being sent, or its answer is running. */
  readonly isSending: boolean;
  /** The history is being loaded for the first time. */
  readonly isLoading: boolean;
  /** The last failure: of a message, its answer, the history, or finding the oracle. */
  readonly error: Error | undefined;
  readonly sendMessageError: Error | undefined;
  /** Reads the newest messages again. Never rejects. */
  readonly refetchMessages: () => Promise<void>;
  /** Pending approvals, newest first, of all tabs, as listed by the oracle. */
  readonly approvals: readonly IApproval[];
  /**
   * Settles a pending approval with the user's decision; its answer continues then. Rejects if it was settled before in another
   * place, and if the oracle is unreachable.
   */
  readonly settleApproval: (toolCallId: string, decision: ApprovalDecision) => Promise<void>;
  /** Allows a call as proposed, or with other arguments: short for `settleApproval`. */
  readonly approve: (toolCallId: string, changed?: ApprovalDecision['changed']) => Promise<void>;
  /** The running answer belongs to another tab or device of the user. */
  readonly isAnsweringOtherTab: boolean;
  readonly isRealTimeConnected: boolean;
  /** It is known where the oracle is. */
  readonly isConfigReady: boolean;
  /** The run that answers, or has answered the last message. */
  readonly run: IRun | undefined;
  /** There are messages before the first one. */
  readonly hasEarlier: boolean;
  /** Reads a page of them. Rejects when they cannot be had. */
  readonly loadEarlier: () => Promise<void>;
}

/**
 * A session of one oracle, as a chat. It continues an answer that was started before the page was loaded, or interrupted by the
 * network. Throws outside of an `OraclesProvider`.
 */
export function useChat(options: IChatOptions): IChat {
  const { oracleDid, sessionId, overrides, uiComponents = noComponents } = options;
  const runtime = useOraclesRuntime();
  const latest = useLatest(options);
  const { chat, apiUrl, isReady, error } = useOpenChat(oracleDid, sessionId, overrides);
  const snapshot = useChatValue(chat, chat?.snapshot, emptySnapshot);
  useEffect(() => chat?.show(latest), [chat, latest]);
  useMountedValue(runtime.components, sessionId, uiComponents, hasSameEntries);
  // The failure of a message without a chat to send it to.
  const [unsent, setUnsent] = useState<Error>();
  useEffect(() => {
    if (chat !== undefined) setUnsent(undefined);
  }, [chat]);

  const actions = useMemo(() => {
    const notReady = () => {
      const why = sessionId === '' ? 'it has no session' : (error?.message ?? 'the oracle is not found yet');
      setUnsent(new Error(`The chat is not ready: ${why}`));
    };
    const onPaymentRequired = (claimIds: string[]) => latest().onPaymentRequiredError(claimIds);
    const branch = (messageId: string, text: string | undefined, sendOptions: SendOptions) =>
      void (chat?.sending.branch(messageId, text, { options: sendOptions, onPaymentRequired }) ?? notReady());
    return {
      sendMessage: (message: string, sendOptions: SendOptions = {}) =>
        void (chat?.sending.send(message, { options: sendOptions, onPaymentRequired }) ?? notReady()),
      edit: (messageId: string, message: string, sendOptions: SendOptions = {}) =>
        branch(messageId, message, sendOptions),
      resend: (messageId: string) => void (chat?.sending.resend(messageId, onPaymentRequired) ?? notReady()),
      regenerate: (messageId: string, sendOptions: SendOptions = {}) => branch(messageId, undefined, sendOptions),
    };
  }, [chat, latest, sessionId, error]);
  const attachments = useAttachments(oracleDid, apiUrl, sessionId);
  const selectBranch = useCallback(async (messageId: string) => chat?.selectBranch(messageId), [chat]);
  const abortStream = useCallback(async () => chat?.sending.abort(), [chat]);
  const refetchMessages = useCallback(async () => chat?.refetch(), [chat]);
  const settleApproval = useCallback(
    async (toolCallId: string, decision: ApprovalDecision) => chat?.settleApproval(toolCallId, decision),
    [chat],
  );
  const approve = useCallback(
    (toolCallId: string, changed?: ApprovalDecision['changed']) =>
      settleApproval(toolCallId, { decision: 'allow', ...(changed === undefined ? {} : { changed }) }),
    [settleApproval],
  );
  const loadEarlier = useCallback(async () => chat?.loadEarlier(), [chat]);

  const { status } = snapshot;
  return {
    ...snapshot,
    ...(chat !== undefined || unsent === undefined ? {} : { status: 'error', sendMessageError: unsent }),
    messages: snapshot.messages as IMessage[],
    error: snapshot.error ?? error ?? unsent,
    isLoading: sessionId !== '' && error === undefined && snapshot.isLoading,
    isSending: status === 'submitted' || status === 'streaming',
    isConfigReady: isReady,
    ...actions,
    ...attachments,
    selectBranch,
    abortStream,
    refetchMessages,
    settleApproval,
    approve,
    loadEarlier,
  };
}

const noComponents: UiComponents = {};

function hasSameEntries(one: UiComponents, other: UiComponents): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The chat of a session, which all have in common that open it; undefined without a session, and until the oracle is found. */
function useOpenChat(oracleDid: string, sessionId: string, overrides: EndpointOverrides | undefined) {
  const runtime = useOraclesRuntime();
  const endpoints = useOracleEndpoints(oracleDid, overrides);
  const { apiUrl, socketUrl } = endpoints;
  const chat = useMemo(() => {
    if (apiUrl === undefined || socketUrl === undefined || sessionId === '') return undefined;
    return runtime.chats.open({ oracleDid, apiUrl, socketUrl, sessionId });
  }, [runtime, oracleDid, apiUrl, socketUrl, sessionId]);
  return { chat, ...endpoints };
}

/** A value of a chat's snapshot. @param none the value without a chat; must be a stable object */
function useChatValue<Value>(chat: ChatSession | undefined, read: (() => Value) | undefined, none: Value): Value {
  const noValue = () => none;
  return useSyncExternalStore(chat?.subscribe ?? subscribeToNothing, read ?? noValue, noValue);
}

const subscribeToNothing = () => () => undefined;

/**
 * Records of the last ten runs of a session, as far as this page has seen them, oldest first. Requires a `useChat` of that
 * session, which reads them. Throws outside of an `OraclesProvider`.
 */
export function useRunRecords(
  options: Pick<IChatOptions, 'oracleDid' | 'sessionId' | 'overrides'>,
): readonly IRunRecord[] {
  const { chat } = useOpenChat(options.oracleDid, options.sessionId, options.overrides);
  return useChatValue(chat, chat?.records, noRecords);
}

const noRecords: readonly IRunRecord[] = [];
