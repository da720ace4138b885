import type { Turn } from '../lifecycle/turn.js';
import type { LoopParts } from './ask-model.js';
import type { MadeCall } from './call-tool.js';

/** Characters of the arguments that the words show; the request shows all of them. */
const argsChars = 500;

/** Says in the answer itself what waits and where, for those who know nothing of approvals. */
export function sayWaiting({ draft, run }: Turn, { events, now }: LoopParts, made: readonly MadeCall[]): void {
  const waiting = made.filter(({ status }) => status === 'waiting');
  const isOne = waiting.length === 1;
  const lines = waiting.map(({ name, args }) => `- ${name} ${cut(JSON.stringify(args))}`);
  const text = [
    isOne ? 'This waits for your approval:' : 'These wait for your approval:',
    ...lines,
    isOne
      ? `Allow or deny it in your app, or with POST /runs/${run.runId}/approvals/${waiting[0]?.id}. Nothing happens before that.`
      : `Allow or deny them in your app, or with POST /runs/${run.runId}/approvals/… and the ids of GET /approvals. Nothing happens before that.`,
  ].join('\n');
  const content = draft.content === '' ? text : `\n\n${text}`;
  draft.content += content;
  events.tell({ event: 'message', data: { content, timestamp: now().toISOString() } });
}

function cut(text: string): string {
  return text.length <= argsChars ? text : `${text.slice(0, argsChars)}…`;
}
