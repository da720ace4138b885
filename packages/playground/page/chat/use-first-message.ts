import type { IChat } from '@mlango/oracle-client';
import { useEffect, useRef } from 'react';

/** Says the first message of a session, once, as soon as it can be said. */
export function useFirstMessage(chat: IChat, message: string | undefined, onSent: () => void): void {
  const { isConfigReady, isLoading, sendMessage } = chat;
  const wasSent = useRef(false);

  useEffect(() => {
    if (message === undefined || !isConfigReady || isLoading || wasSent.current) return;
    wasSent.current = true;
    sendMessage(message);
    onSent();
  }, [message, isConfigReady, isLoading, sendMessage, onSent]);
}
