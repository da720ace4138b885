import { z } from 'zod';

/** Events that a client may send over a socket. */
export const socketClientEvents = [
  'auth',
  'ping',
  'status',
  'subscribe',
  'list-events',
  'tool_result',
  'action_call_result',
  'approval_result',
] as const;
export type SocketClientEvent = (typeof socketClientEvents)[number];

/** Events that a server sends over a socket. `event` repeats some of the others as `{eventName, payload}`. */
export const socketServerEvents = [
  'connected',
  'authenticated',
  'auth_error',
  'closing',
  'pong',
  'status',
  'subscribed',
  'available-events',
  'run_status',
  'tool_call',
  'action_call',
  'approval_request',
  'approval_result',
  'render_component',
  'browser_tool_call',
  'router_update',
  'message_cache_invalidation',
  'event',
] as const;

export const socketLimits = {
  /** One message, in either direction. */
  messageBytes: 262_144,
  toolCallIdChars: 256,
  sessionIdChars: 128,
} as const;

/** The payload of `tool_result` and of `action_call_result`. A value of `error` that is not empty is a failure. */
export const callResultPayload = z.object({
  toolCallId: z.string().min(1).max(socketLimits.toolCallIdChars),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  sessionId: z.string().max(socketLimits.sessionIdChars).nullish(),
});
export type CallResultPayload = z.infer<typeof callResultPayload>;

/** One frame of the plain WebSocket, in either direction. The first one of a client is the auth object instead. */
export const socketFrame = z.object({ event: z.string().min(1).max(64), data: z.unknown().optional() });
