import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ChatSnapshot } from '../../api/chat/chat-snapshot.js';
import type { IChat } from '../../hooks/use-chat.js';
import { useWords } from '../../words/words.js';
import { textOfMessage } from '../message/message-props.js';
import { useStickToBottom } from './use-stick-to-bottom.js';

export interface ThreadOptions {
  readonly chat: IChat;
  /** A message that was searched for, to be brought into sight. */
  readonly sought?: MessageTarget | undefined;
}

/** The state of a message list that follows the newest, without styles. */
export interface ThreadParts {
  /** For the scrolling element: a log that is not announced as it grows. */
  readonly logProps: {
    readonly ref: RefObject<HTMLDivElement | null>;
    readonly role: 'log';
    readonly tabIndex: 0;
    readonly 'aria-label': string;
    readonly 'aria-busy': boolean;
    readonly 'aria-live': 'off';
    readonly onScroll: () => void;
  };
  /** For the one element in it, which has the messages. */
  readonly contentProps: { readonly ref: RefObject<HTMLDivElement | null> };
  /** For the element of a message: it is found by them. */
  readonly messageProps: (messageId: string) => {
    readonly 'data-message': string;
    readonly 'data-sought': true | undefined;
    readonly tabIndex: -1 | undefined;
  };
  /** The reader has scrolled up: no automatic scrolling, and a button back is shown. */
  readonly isAway: boolean;
  readonly toLatest: () => void;
  /** The finished answer: for an element with `role="status"`. */
  readonly announcement: string;
}

/**
 * State of a list of messages, without markup: follows the newest message until the reader scrolls up, and scrolls to a search
 * result.
 */
export function useThread({ chat, sought }: ThreadOptions): ThreadParts {
  const words = useWords().thread;
  const { messages, isSending } = chat;
  const sent = chat.isAnsweringOtherTab ? undefined : messages.findLast(({ type }) => type === 'human')?.id;
  const { box, content, isScrolledUp, toNewest, leave, onScroll } = useStickToBottom(sent, messages.length > 0);
  useFoundMessage(chat, sought, content, leave);
  return {
    logProps: {
      ref: box,
      role: 'log',
      // With the focus on it, the arrow keys scroll.
      tabIndex: 0,
      'aria-label': words.messages,
      'aria-busy': isSending,
      // Answers are announced once, when they are whole.
      'aria-live': 'off',
      onScroll,
    },
    contentProps: { ref: content },
    messageProps: (messageId) => messagePropsOf(messageId, messageId === sought?.messageId),
    isAway: isScrolledUp,
    toLatest: toNewest,
    announcement: useAnnouncement(chat, content),
  };
}

export function messagePropsOf(messageId: string, isSought: boolean): ReturnType<ThreadParts['messageProps']> {
  return {
    'data-message': messageId,
    'data-sought': isSought || undefined,
    tabIndex: isSought ? -1 : undefined,
  };
}

/**
 * Announces a finished answer to screen readers once, and nothing while it streams.
 * @param shown the element of the messages
 */
function useAnnouncement(
  { messages, isSending }: Pick<IChat, 'messages' | 'isSending'>,
  shown: RefObject<HTMLElement | null>,
): string {
  const { oracle, endings } = useWords().message;
  const [announcement, setAnnouncement] = useState('');
  const wasSending = useRef(isSending);
  const last = messages.at(-1);
  useEffect(() => {
    const hasEnded = wasSending.current && !isSending;
    wasSending.current = isSending;
    if (isSending) setAnnouncement('');
    if (!hasEnded || last?.type !== 'ai') return;
    const answers = shown.current?.querySelectorAll('.mlango-answer') ?? [];
    const text = [...answers].at(-1)?.textContent ?? textOfMessage(last);
    setAnnouncement(`${oracle}: ${text} ${last.ending === undefined ? '' : endings[last.ending]}`.trim());
  }, [isSending, last, shown, oracle, endings]);
  return announcement;
}

/** A message that was searched for; another object each time. */
export interface MessageTarget {
  readonly sessionId: string;
  readonly messageId: string;
}

/**
 * Scrolls a message into view and focuses it: reads earlier pages until it is loaded, and switches to its branch if it is on
 * another.
 * @param leave stops following the newest message
 */
function useFoundMessage(
  chat: Pick<IChat, 'messages' | 'isLoading' | 'hasEarlier' | 'loadEarlier' | 'selectBranch'>,
  sought: MessageTarget | undefined,
  content: RefObject<HTMLElement | null>,
  leave: () => void,
): void {
  const { messages, isLoading, hasEarlier, loadEarlier, selectBranch } = chat;
  const done = useRef<MessageTarget>(undefined);
  const turned = useRef<MessageTarget>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks again when there are other messages.
  useEffect(() => {
    if (sought === undefined || done.current === sought || isLoading || messages.length === 0) return;
    leave();
    const giveUp = () => {
      done.current = sought;
    };
    const all = content.current?.querySelectorAll<HTMLElement>('[data-message]') ?? [];
    const shown = [...all].find(({ dataset }) => dataset['message'] === sought.messageId);
    if (shown !== undefined) {
      giveUp();
      shown.scrollIntoView({ block: 'center' });
      shown.focus({ preventScroll: true });
    } else if (hasEarlier) void loadEarlier().catch(giveUp);
    else if (turned.current === sought) giveUp();
    else {
      turned.current = sought;
      void selectBranch(sought.messageId).catch(giveUp);
    }
  }, [sought, messages, isLoading, hasEarlier]);
}

const endedEarly: ReadonlySet<string | undefined> = new Set(['aborted', 'interrupted', 'failed']);

/** Ids of the messages that will have no answer: their run ended without text. */
export function unansweredIn({
  messages,
  status,
  run,
}: Pick<ChatSnapshot, 'messages' | 'status' | 'run'>): ReadonlySet<string> {
  const lastAnswer = messages.findLastIndex(({ type }) => type === 'ai');
  const isOver = status === 'ready' && endedEarly.has(run?.status);
  const without = messages.filter(
    ({ type, isQueued, isUnsent }, at) =>
      type === 'human' &&
      isQueued !== true &&
      isUnsent !== true &&
      messages[at + 1]?.type !== 'ai' &&
      (at < lastAnswer || isOver),
  );
  return new Set(without.map(({ id }) => id));
}
