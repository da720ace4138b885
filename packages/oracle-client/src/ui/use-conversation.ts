import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { UploadOptions } from '../api/attachments.js';
import type { IMessage } from '../api/chat/message.js';
import { UnsentMessages } from '../api/chat/unsent-messages.js';
import type { IChatOptions, SendOptions } from '../api/chat-options.js';
import { errorOf } from '../api/requests/values.js';
import { socketLibrary } from '../api/sockets/session-socket.js';
import { useOraclesRuntime } from '../hooks/oracles-context.js';
import { type IChat, useChat } from '../hooks/use-chat.js';
import { type IAnswerFeedback, useFeedback } from '../hooks/use-feedback.js';
import { type IOracleSessions, useOracleSessions } from '../hooks/use-oracle-sessions.js';
import { loadMarkdown } from './markdown/markdown.js';
import type { MessageTarget } from './thread/use-thread.js';
import { standIns } from './tool-calls/tool-call.js';

export interface ConversationOptions extends Omit<IChatOptions, 'sessionId' | 'onPaymentRequiredError'> {
  /** The session that is shown; empty for one that begins with the first message. Default: the hook's own. */
  readonly sessionId?: string | undefined;
  readonly onSessionChange?: ((sessionId: string) => void) | undefined;
}

export interface Conversation {
  /** As `useChat` gives it; a message that is sent without a session begins one. */
  readonly chat: IChat;
  readonly sessions: IOracleSessions;
  readonly sessionId: string;
  /** Shows a session, or with an empty id a new one: its newest messages, or one that was searched for. */
  readonly select: (sessionId: string, messageId?: string) => void;
  /** The message to scroll to, until another session is selected or a message is sent. */
  readonly sought: MessageTarget | undefined;
  /** The user's feedback on the answers of the session. */
  readonly feedback: IAnswerFeedback;
  /** The payment that the last message requires; undefined after another message is sent. */
  readonly claims: readonly string[];
}

interface FirstMessage {
  readonly text: string;
  readonly options: SendOptions;
  /** Undefined until the session exists. */
  readonly sessionId?: string;
  /** There is no session that it could be sent to, or its user has stopped it. */
  readonly isUnsent?: boolean;
  readonly error?: Error;
}

/** A user's sessions with an oracle, and the one of them that is shown as a chat. */
export function useConversation(options: ConversationOptions): Conversation {
  const { oracleDid, overrides, onSessionChange } = options;
  const sessions = useOracleSessions(oracleDid, overrides);
  const { createSession } = sessions;
  const [ownSessionId, setOwnSessionId] = useState('');
  const sessionId = options.sessionId ?? ownSessionId;
  const [claims, setClaims] = useState<readonly string[]>([]);
  const uiComponents = useMemo(() => ({ ...standIns, ...options.uiComponents }), [options.uiComponents]);
  const chat = useChat({ ...options, uiComponents, sessionId, onPaymentRequiredError: setClaims });
  const feedback = useFeedback(oracleDid, sessionId, overrides);
  const [sought, setSought] = useState<MessageTarget>();
  const { userDid } = useOraclesRuntime();
  const unsent = useMemo(() => new UnsentMessages(`${userDid} ${oracleDid}`), [userDid, oracleDid]);
  const [first, setFirst] = useState(() => storedFirst(unsent));

  // The first message waits for the socket of its new session; the code that shows its answer is loaded after that.
  useEffect(() => {
    if (sessionId === '') void socketLibrary().then(loadMarkdown, () => undefined);
  }, [sessionId]);

  const begun = useRef<Promise<string>>(undefined);
  /** The first message while it is being sent; undefined once its user has stopped it. */
  const beginning = useRef<FirstMessage>(undefined);
  /** The session of a conversation that begins; one for all of its files. */
  function newSession(): Promise<string> {
    begun.current ??= createSession().then(({ sessionId: created }) => created);
    begun.current.catch(() => {
      begun.current = undefined;
    });
    return begun.current;
  }

  function select(selected: string, messageId?: string): void {
    begun.current = undefined;
    setSought(messageId === undefined ? undefined : { sessionId: selected, messageId });
    setOwnSessionId(selected);
    onSessionChange?.(selected);
  }

  async function begin(text: string, sendOptions: SendOptions = {}): Promise<void> {
    const own: FirstMessage = { text, options: sendOptions };
    beginning.current = own;
    setFirst(own);
    const { attachments } = sendOptions;
    const files = attachments === undefined ? {} : { attachments };
    const sent = { id: firstId, text, createdAt: new Date().toISOString(), ...files };
    unsent.note([{ phase: 'sending', requestId: `${firstId} ${userDid}`, sent }]);
    try {
      // Its files may have been uploaded before the page was loaded again.
      const uploadSession = sendOptions.attachments
        ?.map((file) => file['sessionId'])
        .find((id) => typeof id === 'string');
      const created = uploadSession ?? (await newSession());
      if (beginning.current !== own) return;
      setFirst({ ...own, sessionId: created });
      select(created);
    } catch (error) {
      if (beginning.current === own) setFirst({ ...own, isUnsent: true, error: errorOf(error) });
    }
  }

  /** Prevents an unsent first message from being sent. */
  async function stopFirst(): Promise<void> {
    beginning.current = undefined;
    setFirst((now) => now && { ...now, isUnsent: true });
  }

  function sendFirst(text: string, sendOptions: SendOptions = {}): void {
    if (first?.sessionId === undefined) void begin(text, sendOptions);
    else setFirst({ text, options: sendOptions, sessionId: first.sessionId });
  }

  const uploadFirst = (file: File, uploadOptions: UploadOptions = {}) =>
    uploadAttachment(file, { ...uploadOptions, sessionId: newSession });

  const { isConfigReady, isLoading, sendMessage, uploadAttachment } = chat;
  const send = useCallback(
    (...message: Parameters<typeof sendMessage>) => {
      setClaims([]);
      setSought(undefined);
      sendMessage(...message);
    },
    [sendMessage],
  );
  useEffect(() => {
    if (first?.sessionId === undefined || first.isUnsent === true) return;
    if (first.sessionId !== sessionId || !isConfigReady || isLoading) return;
    setFirst(undefined);
    sendMessage(first.text, first.options);
    // From here on the chat stores it.
    unsent.note([]);
  }, [first, sessionId, isConfigReady, isLoading, sendMessage, unsent]);

  const isBeginning = first !== undefined && (sessionId === '' || sessionId === first.sessionId);
  const isUnbegun = isBeginning && first.isUnsent === true;
  return {
    chat: {
      ...chat,
      ...(sessionId === ''
        ? {
            sendMessage: (text, sendOptions) => void begin(text, sendOptions),
            uploadAttachment: uploadFirst,
          }
        : { sendMessage: send }),
      ...(isBeginning ? { ...shownAs(first), abortStream: stopFirst } : {}),
      ...(isUnbegun
        ? {
            resend: () => sendFirst(first.text, first.options),
            edit: (_, text, sendOptions) => sendFirst(text, sendOptions),
          }
        : {}),
    },
    sessions,
    sessionId,
    select,
    // A page may show another session a moment later.
    sought: sought?.sessionId === sessionId ? sought : undefined,
    feedback,
    claims,
  };
}

/** The draft key before there is a session. */
const firstId = 'first';

/** One that could not be sent before the page was loaded again. */
function storedFirst(unsent: UnsentMessages): FirstMessage | undefined {
  const [turn] = unsent.read();
  return turn?.sent && { text: turn.sent.text, options: turn.options ?? {}, isUnsent: true };
}

/** The messages shown while the session of the first message is created. */
function shownAs({ text, options, isUnsent = false, error }: FirstMessage): Partial<IChat> {
  const message: IMessage = {
    id: firstId,
    type: 'human',
    content: text,
    isComplete: true,
    ...(options.attachments === undefined ? {} : { attachments: options.attachments }),
    ...(isUnsent ? { isUnsent } : {}),
  };
  return {
    messages: [message],
    isLoading: false,
    isSending: !isUnsent,
    status: isUnsent ? 'error' : 'submitted',
    error,
    sendMessageError: error,
  };
}
