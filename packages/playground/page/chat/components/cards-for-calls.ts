import type { MessageContent } from '@mlango/oracle-client';
import { uiComponents } from '../tools/ui-components.js';

/** What a message says, with the card of a call in the place of the call where this page can show that card. Pure. */
export function cardsForCalls(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  const carded = new Set(
    content.flatMap((part) => {
      const isShown =
        typeof part !== 'string' && part.kind === 'render_component' && Object.hasOwn(uiComponents, part.name);
      return isShown ? [part.id] : [];
    }),
  );
  return content.filter((part) => typeof part === 'string' || part.kind !== 'tool_call' || !carded.has(part.id));
}
