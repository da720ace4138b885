import type { IChat } from '@mlango/oracle-client';
import { useEffect, useRef, useState } from 'react';

/** A chat is of use without its socket too: longer than this nobody waits for it. */
const SOCKET_WITHIN_MS = 3_000;

/**
 * Says the first message of a session, once. Calls into this tab and components come over the socket, so the message waits
 * for that.
 */
export function useFirstMessage(chat: IChat, message: string | undefined, onSent: () => void): void {
  const { isConfigReady, isLoading, isRealTimeConnected, sendMessage } = chat;
  const [hasWaited, setHasWaited] = useState(false);
  const wasSent = useRef(false);

  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), SOCKET_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (message === undefined || !isConfigReady || isLoading || wasSent.current) return;
    if (!isRealTimeConnected && !hasWaited) return;
    wasSent.current = true;
    sendMessage(message);
    onSent();
  }, [message, isConfigReady, isLoading, isRealTimeConnected, hasWaited, sendMessage, onSent]);
}
