import type { ReactElement } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { useWords } from '../words/words.js';

type StatusLineProps = {
  readonly chat: Pick<IChat, 'status' | 'isRealTimeConnected' | 'isAnsweringElsewhere' | 'messages'>;
};

/** How a chat stands: its socket, what it does, and whether somebody else has asked. */
export function StatusLine({ chat }: StatusLineProps): ReactElement {
  const words = useWords().status;
  const { status, isRealTimeConnected, isAnsweringElsewhere, messages } = chat;
  // A conversation that was not begun has no connection that anybody could miss.
  const isTold = isRealTimeConnected || messages.length > 0;
  return (
    <p className="mlango-status">
      <span
        hidden={!isTold}
        className={isRealTimeConnected ? 'mlango-lamp mlango-on' : 'mlango-lamp'}
        aria-hidden="true"
      />
      <span data-testid="socket">{isTold ? (isRealTimeConnected ? words.connected : words.disconnected) : ''}</span>
      <span data-testid="status">{words[status]}</span>
      <span data-testid="elsewhere">{isAnsweringElsewhere ? words.elsewhere : ''}</span>
    </p>
  );
}
