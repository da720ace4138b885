import type { ChatSnapshot } from '../../chat/chat-snapshot.js';

const endedEarly: ReadonlySet<string | undefined> = new Set(['aborted', 'interrupted', 'failed']);

/** The ids of the messages that have no answer and will have none: its run ended before it had said anything. */
export function unansweredIn({
  messages,
  status,
  run,
}: Pick<ChatSnapshot, 'messages' | 'status' | 'run'>): ReadonlySet<string> {
  const lastAnswer = messages.findLastIndex(({ type }) => type === 'ai');
  const isOver = status === 'ready' && endedEarly.has(run?.status);
  const without = messages.filter(
    ({ type, isQueued, isUnsent }, at) =>
      type === 'human' &&
      isQueued !== true &&
      isUnsent !== true &&
      messages[at + 1]?.type !== 'ai' &&
      (at < lastAnswer || isOver),
  );
  return new Set(without.map(({ id }) => id));
}
