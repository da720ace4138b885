import { useOracleSessions } from '@mlango/oracle-client';
import { useState } from 'react';
import { useSettings } from '../shell/settings.js';
import { hrefOf } from '../shell/use-route.js';
import { Conversation } from './conversation.js';
import { oracleAddress } from './oracle-address.js';
import { SessionList } from './session-list.js';
import { Threshold } from './threshold.js';

interface ChatRoomProps {
  readonly did: string;
  readonly sessionId: string | undefined;
}

export function ChatRoom({ did, sessionId }: ChatRoomProps) {
  const { oracleDid } = useSettings();
  const sessions = useOracleSessions(oracleDid, oracleAddress);
  const [opening, setOpening] = useState<{ readonly sessionId: string; readonly message: string }>();
  const [problem, setProblem] = useState('');

  async function begin(message: string): Promise<void> {
    try {
      const created = await sessions.createSession();
      setProblem('');
      setOpening({ sessionId: created.sessionId, message });
      window.location.hash = hrefOf('chat', created.sessionId);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The session could not be opened.');
    }
  }

  return (
    <div className="chat-room">
      <SessionList sessions={sessions} current={sessionId} did={did} />
      <div className="chat-side">
        {problem === '' ? null : (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        {sessionId === undefined ? (
          <Threshold onBegin={(message) => void begin(message)} isBusy={sessions.isCreatingSession} />
        ) : (
          <Conversation
            key={sessionId}
            sessionId={sessionId}
            firstMessage={opening?.sessionId === sessionId ? opening.message : undefined}
            onFirstSent={() => setOpening(undefined)}
          />
        )}
      </div>
    </div>
  );
}
