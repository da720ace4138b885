import { type ReactElement, useState } from 'react';
import { useOracleModels } from '../models/use-oracle-models.js';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import { ChatView, type ChatViewProps } from './chat-view.js';
import { ModelPicker } from './composer/model-picker.js';
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
  const { models } = useOracleModels(options.oracleDid, options.overrides);
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? options.model;
  const conversing = { ...options, ...(model === undefined ? {} : { model }) };
  const { chat, claims, sessions, sessionId, select } = useConversation(conversing);
  const draftKey = `${userDid} ${options.oracleDid} ${sessionId}`;
  const beside = <ModelPicker models={models} model={model} onModel={setChosen} />;
  const shown = { claims, suggestions, draftKey, hasAttachments, beside, children };
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
