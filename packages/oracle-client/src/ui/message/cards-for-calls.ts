import type { UiComponents } from '../../chat/chat-options.js';
import type { IMessageComponent } from '../../chat/message.js';
import { componentFor } from '../../chat/message-component.js';

type Part = string | IMessageComponent;

/** What a message says, without the calls of which the page shows a card. Pure. */
export function cardsForCalls(content: readonly Part[], componentsOf: (sessionId: string) => UiComponents): Part[] {
  const isCard = (part: Part): part is IMessageComponent =>
    typeof part !== 'string' &&
    part.kind === 'render_component' &&
    componentFor(part, componentsOf(part.sessionId)) !== undefined;
  const carded = new Set(content.filter(isCard).map(({ id }) => id));
  return content.filter((part) => typeof part === 'string' || part.kind !== 'tool_call' || !carded.has(part.id));
}
