import type { RunFrame } from './run-store.js';

/** A comment, which readers skip: it keeps proxies from closing a quiet stream. */
export const heartbeat = ': heartbeat\n\n';

/**
 * A frame in the `text/event-stream` format of the HTML standard: id, event, one line of data, a blank line.
 * `data` is JSON, where line breaks are escaped, so nothing in it can end the line.
 */
export function sseFrame(frame: RunFrame): string {
  return `id: ${frame.id}\nevent: ${frame.event}\ndata: ${frame.data}\n\n`;
}
