import type { RefObject } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { useWords } from '../words/words.js';
import { useAnnouncement } from './use-announcement.js';
import { type SoughtMessage, useFoundMessage } from './use-found-message.js';
import { useNewestInSight } from './use-newest-in-sight.js';

export interface ThreadOptions {
  readonly chat: IChat;
  /** A message that was searched for, to be brought into sight. */
  readonly sought?: SoughtMessage | undefined;
}

/** Messages, the newest in sight, without any look. */
export interface ThreadParts {
  /** For what scrolls: a log that is not announced as it grows. */
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
  /** Somebody reads further up: nothing scrolls by itself, and there is a way back. */
  readonly isAway: boolean;
  readonly toLatest: () => void;
  /** What was answered, once it has ended: for an element with `role="status"`. */
  readonly announcement: string;
}

/** What a list of messages does, to be given a look: the newest stays in sight until its reader goes up, and what was searched for is found. */
export function useThread({ chat, sought }: ThreadOptions): ThreadParts {
  const words = useWords().thread;
  const { messages, isSending } = chat;
  const sent = chat.isAnsweringElsewhere ? undefined : messages.findLast(({ type }) => type === 'human')?.id;
  const { box, content, isAway, toNewest, leave, onScroll } = useNewestInSight(sent, messages.length > 0);
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
    isAway,
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
