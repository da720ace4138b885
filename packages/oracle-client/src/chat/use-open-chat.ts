import { useMemo, useSyncExternalStore } from 'react';
import { useOracleEndpoints } from '../endpoints/use-oracle-endpoints.js';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import type { EndpointOverrides } from './chat-options.js';
import type { ChatSession } from './chat-session.js';

/** The chat of a session, which all have in common that open it; undefined without a session, and until the oracle is found. */
export function useOpenChat(oracleDid: string, sessionId: string, overrides: EndpointOverrides | undefined) {
  const runtime = useOraclesRuntime();
  const endpoints = useOracleEndpoints(oracleDid, overrides);
  const { apiUrl, socketUrl } = endpoints;
  const chat = useMemo(() => {
    if (apiUrl === undefined || socketUrl === undefined || sessionId === '') return undefined;
    return runtime.chats.open({ oracleDid, apiUrl, socketUrl, sessionId });
  }, [runtime, oracleDid, apiUrl, socketUrl, sessionId]);
  return { chat, ...endpoints };
}

/** Something of a chat as it is now. @param none in the place of it where there is no chat; always the same object */
export function useOfChat<Value>(chat: ChatSession | undefined, read: (() => Value) | undefined, none: Value): Value {
  const noValue = () => none;
  return useSyncExternalStore(chat?.subscribe ?? subscribeToNothing, read ?? noValue, noValue);
}

const subscribeToNothing = () => () => undefined;
