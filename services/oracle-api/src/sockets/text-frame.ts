import { socketFrame } from '@mlango/schemas/oracle-realtime';
import { jsonIn } from '../json-in.js';

/** The text of a WebSocket message; undefined for a binary one. */
export function textIn(data: unknown, isBinary: boolean): string | undefined {
  return !isBinary && Buffer.isBuffer(data) ? data.toString('utf8') : undefined;
}

/** `{event, data}` in a text frame; undefined when it is anything else. */
export function frameIn(text: string): { event: string; data?: unknown } | undefined {
  return socketFrame.safeParse(jsonIn(text)).data;
}
