import { type RefObject, useEffect, useRef } from 'react';
import type { IChat } from '../../chat/use-chat.js';

/** A message that was searched for; another object each time. */
export interface SoughtMessage {
  readonly sessionId: string;
  readonly messageId: string;
}

/**
 * Brings a message into sight, with the focus on it: reads the pages before, until it is there, and where it is on another branch shows that.
 * @param leave the newest message is not to be followed any more
 */
export function useFoundMessage(
  chat: Pick<IChat, 'messages' | 'isLoading' | 'hasEarlier' | 'loadEarlier' | 'selectBranch'>,
  sought: SoughtMessage | undefined,
  content: RefObject<HTMLElement | null>,
  leave: () => void,
): void {
  const { messages, isLoading, hasEarlier, loadEarlier, selectBranch } = chat;
  const done = useRef<SoughtMessage>(undefined);
  const turned = useRef<SoughtMessage>(undefined);
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
