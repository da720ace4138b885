import type { StoredToolCall } from '../../store/conversation-store.js';
import { noUsage, type TurnUsage } from '../after/turn-usage.js';
import type { TurnOutcome } from '../lifecycle/turn.js';

/** What there is of an answer so far. */
export interface Draft {
  content: string;
  reasoning: string;
  readonly toolCalls: StoredToolCall[];
  usage: TurnUsage;
}

export function emptyDraft(): Draft {
  return { content: '', reasoning: '', toolCalls: [], usage: noUsage };
}

/** The draft as the outcome of its turn has it: without what it lacks. */
export function partsOf({ content, reasoning, toolCalls, usage }: Draft): Omit<TurnOutcome, 'status'> {
  return {
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(usage === noUsage ? {} : { usage }),
  };
}
