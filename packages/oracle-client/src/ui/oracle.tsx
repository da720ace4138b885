import { type ReactElement, useState } from 'react';
import { useOraclesRuntime } from '../hooks/oracles-context.js';
import { useOracleModels } from '../hooks/use-oracle-endpoints.js';
import type { CallOptions } from './call/live-agent-entry.js';
import { useCall } from './call/use-call.js';
import { ChatView, type ChatViewProps } from './chat-view.js';
import { ModelPicker, readModel, saveModel } from './composer/model-picker.js';
import { SessionsFrame } from './sessions/sessions.js';
import { UiRoot, type UiRootProps } from './ui-root.js';
import { type ConversationOptions, useConversation } from './use-conversation.js';

export interface OracleProps
  extends ConversationOptions,
    Pick<UiRootProps, 'words' | 'theme' | 'math' | 'className'>,
    Pick<ChatViewProps, 'suggestions' | 'hasAttachments' | 'payment' | 'children'> {
  /** Whether to list the user's other conversations. Default true. */
  readonly hasSessions?: boolean;
  /** Loads the code for calls. Without it there are none; with it, if the oracle has the plugin `calls`. */
  readonly calls?: CallOptions;
}

/** A chat with an oracle, with all that belongs to it, as high as the element that it is in. Below an `OraclesProvider`. */
export function Oracle(props: OracleProps): ReactElement {
  const {
    words,
    theme,
    math,
    className = '',
    suggestions,
    hasAttachments,
    payment,
    children,
    hasSessions = true,
    calls,
    ...options
  } = props;
  const { userDid } = useOraclesRuntime();
  const { models, isLoading } = useOracleModels(options.oracleDid, options.overrides);
  const chooser = `${userDid} ${options.oracleDid}`;
  const [choice, setChoice] = useState({ chooser, id: readModel(chooser) });
  if (choice.chooser !== chooser) setChoice({ chooser, id: readModel(chooser) });
  // A model that the oracle no longer offers is not requested.
  const isThere = isLoading || models.some(({ id }) => id === choice.id);
  const model = choice.id !== undefined && isThere ? choice.id : options.model;
  const conversing = { ...options, ...(model === undefined ? {} : { model }) };
  const { chat, claims, sessions, sessionId, select, sought, feedback } = useConversation(conversing);
  const draftKey = `${chooser} ${sessionId}`;
  const call = useCall(calls, { ...options, sessionId, sessions, select });
  function choose(id: string): void {
    saveModel(chooser, id);
    setChoice({ chooser, id });
  }
  const controls = (
    <>
      <ModelPicker models={models} model={model} onModel={choose} />
      {call.button}
    </>
  );
  const shown = { claims, feedback, sought, suggestions, draftKey, hasAttachments, payment, controls };
  const view = (
    <ChatView chat={chat} onBegin={hasSessions ? () => select('') : undefined} {...shown}>
      {call.strip}
      {children}
    </ChatView>
  );
  return (
    <UiRoot words={words} theme={theme} math={math} className={`mlango-oracle ${className}`}>
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
