import type { TurnEvent } from '../agent/lifecycle/turn-events.js';
import { type Frame, frameOf } from './frame.js';

/**
 * What the sockets of a session are told of an event of a turn.
 *
 * Text, reasoning, errors and ends are in the stream of the run alone. Calls into the tab are sent by whoever calls, to one
 * socket. A change of route is never wrapped: as `event` it leaves a stray bubble in clients.
 */
export function framesOf(event: TurnEvent): Frame[] {
  switch (event.event) {
    case 'tool_call':
    case 'render_component':
      return [frameOf(event.event, event.data), wrapped(event.event, event.data)];
    case 'message_cache_invalidation':
      // Without a session in it, clients drop what they have cached of any.
      return [frameOf(event.event, event.data), wrapped(event.event, { ...event.data, sessionId: '' })];
    case 'run_status':
    case 'approval_request':
    case 'router_update':
      return [frameOf(event.event, event.data)];
    default:
      return [];
  }
}

function wrapped(eventName: string, payload: unknown): Frame {
  return frameOf('event', { eventName, payload });
}
