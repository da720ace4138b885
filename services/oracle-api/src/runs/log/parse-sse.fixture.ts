export interface SseEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Parses `text/event-stream` by the HTML standard ("9.2.6 Interpreting an event stream"), independently of the writer: lines end with
 * CRLF, LF or CR; a blank line dispatches; an event without data is dropped.
 */
export function parseSse(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  let id = '';
  let event = '';
  let data: string[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  lines.pop();
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      continue;
    }
    if (line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return events;
}
