import type { ReactElement } from 'react';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import { ChatView, type ChatViewProps } from './chat-view.js';
import { UiRoot, type UiRootProps } from './ui-root.js';
import { type ConversationOptions, useConversation } from './use-conversation.js';

export interface OracleProps
  extends ConversationOptions,
    Pick<UiRootProps, 'words' | 'theme' | 'className'>,
    Pick<ChatViewProps, 'suggestions'> {}

/** A chat with an oracle, with all that belongs to it, as high as the element that it is in. Below an `OraclesProvider`. */
export function Oracle(props: OracleProps): ReactElement {
  const { words, theme, className = '', suggestions, ...options } = props;
  const { userDid } = useOraclesRuntime();
  const { chat, claims, sessionId } = useConversation(options);
  const draftKey = `${userDid} ${options.oracleDid} ${sessionId}`;
  return (
    <UiRoot words={words} theme={theme} className={`mlango-oracle ${className}`}>
      <ChatView chat={chat} claims={claims} suggestions={suggestions} draftKey={draftKey} />
    </UiRoot>
  );
}
