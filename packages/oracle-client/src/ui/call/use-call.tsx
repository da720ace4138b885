import { type ReactElement, useState } from 'react';
import type { EndpointOverrides } from '../../chat/chat-options.js';
import type { IOracleSessions } from '../../sessions/use-oracle-sessions.js';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';
import { CallStrip } from './call-strip.js';
import type { CallOptions } from './live-agent-entry.js';
import { useHasCalls } from './use-has-calls.js';

interface CallPlace {
  readonly oracleDid: string;
  readonly overrides?: EndpointOverrides;
  readonly sessionId: string;
  readonly sessions: Pick<IOracleSessions, 'createSession'>;
  readonly select: (sessionId: string) => void;
}

/** What starts a call, and the call: it goes on while its user looks into other conversations. Null where there is none. */
export function useCall(
  calls: CallOptions | undefined,
  { oracleDid, overrides, sessionId, sessions, select }: CallPlace,
): { readonly button: ReactElement | null; readonly strip: ReactElement | null } {
  const words = useWords().call;
  const hasCalls = useHasCalls(oracleDid, overrides, calls !== undefined);
  const [isOpen, setIsOpen] = useState(false);
  if (calls === undefined || !hasCalls) return { button: null, strip: null };

  async function sessionOfCall(): Promise<string> {
    if (sessionId !== '') return sessionId;
    const created = await sessions.createSession();
    select(created.sessionId);
    return created.sessionId;
  }

  const place = { oracleDid, overrides, calls, sessionOfCall };
  return {
    button: <IconButton icon="phone" name={words.start} isDisabled={isOpen} onPress={() => setIsOpen(true)} />,
    strip: isOpen ? <CallStrip {...place} onClose={() => setIsOpen(false)} /> : null,
  };
}
