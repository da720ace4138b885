import type { ReactNode } from 'react';
import type { UiComponents } from './chat-options.js';
import type { MessageContent } from './message.js';
import { MessageComponent } from './message-component.js';

/**
 * The content of a message, for rendering below an `OraclesProvider`. Text stays text: nothing in it becomes markup, so what
 * an agent says can do nothing in the page; a page that wants Markdown gives the text parts to a renderer of its own.
 *
 * @param uiComponents default: those that `useChat` was given for the session.
 */
export function renderMessageContent(content: MessageContent, uiComponents?: UiComponents): ReactNode {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <MessageComponent key={`${part.kind} ${part.id}`} part={part} uiComponents={uiComponents} />
    ),
  );
}
