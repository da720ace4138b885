import type { ReactElement } from 'react';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import { ChatView, type ChatViewProps } from './chat-view.js';
import { SessionsFrame } from './sessions/sessions-frame.js';
import { UiRoot, type UiRootProps } from './ui-root.js';
import { type ConversationOptions, useConversation } from './use-conversation.js';

export interface OracleProps
  extends ConversationOptions,
    Pick<UiRootProps, 'words' | 'theme' | 'className'>,
    Pick<ChatViewProps, 'suggestions' | 'hasAttachments' | 'children'> {
  /** Whether the user's other conversations are listed beside it. Default true. */
  readonly hasSessions?: boolean;
}

/** A chat with an oracle, with all that belongs to it, as high as the element that it is in. Below an `OraclesProvider`. */
export function Oracle(props: OracleProps): ReactElement {
  const { words, theme, className = '', suggestions, hasAttachments, children, hasSessions = true, ...options } = props;
  const { userDid } = useOraclesRuntime();
  const { chat, claims, sessions, sessionId, select } = useConversation(options);
  const draftKey = `${userDid} ${options.oracleDid} ${sessionId}`;
  const shown = { claims, suggestions, draftKey, hasAttachments, children };
  const view = <ChatView chat={chat} {...shown} />;
  return (
    <UiRoot words={words} theme={theme} className={`mlango-oracle ${className}`}>
      {hasSessions ? (
        <SessionsFrame sessions={sessions} sessionId={sessionId} onSelect={select}>
          {view}
        </SessionsFrame>
      ) : (
        view
      )}
    </UiRoot>
  );
}
