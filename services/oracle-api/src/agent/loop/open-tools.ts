import { type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { RunFrame } from '../../runs/run-store.js';

type ToolEvent = Extract<RunEvent, { event: 'tool_call' | 'action_call' }>;

/** What is said of a call that was made, and of which nobody knows whether it took effect. */
export const outcomeUnknown =
  'Outcome unknown: the call was cut short before it came back, and may have taken effect. Do not repeat it without asking the user.';

/** The events that close the calls which a log leaves running. */
export function openToolEvents(frames: readonly RunFrame[]): ToolEvent[] {
  const open = new Map<string, ToolEvent>();
  for (const frame of frames) {
    const event = toolEvent(frame);
    if (event === undefined) continue;
    const id = event.event === 'tool_call' ? event.data.eventId : event.data.toolCallId;
    if (event.data.status === 'isRunning') open.set(id, event);
    else open.delete(id);
  }
  return [...open.values()].map(closed);
}

function toolEvent({ event, data }: RunFrame): ToolEvent | undefined {
  if (event === 'tool_call') return { event, data: runEvents.tool_call.parse(JSON.parse(data)) };
  if (event === 'action_call') return { event, data: runEvents.action_call.parse(JSON.parse(data)) };
  return undefined;
}

function closed(event: ToolEvent): ToolEvent {
  const output = JSON.stringify({ error: outcomeUnknown });
  return event.event === 'tool_call'
    ? { event: 'tool_call', data: { ...event.data, status: 'done', output, error: outcomeUnknown } }
    : { event: 'action_call', data: { ...event.data, status: 'error', error: outcomeUnknown } };
}
