import { expect } from 'vitest';

export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Reads a stream of server-sent events one by one, by the HTML standard. */
export async function readEvents(url: string, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const reply = await fetch(url, { headers, signal: controller.signal });
  let chunks: AsyncIterator<string> | undefined;
  let text = '';
  let id = '';

  /** The next block of lines; `undefined` at the end. */
  async function block(): Promise<string | undefined> {
    chunks ??= reply.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    while (!text.includes('\n\n')) {
      const chunk = await chunks?.next();
      if (chunk === undefined || chunk.done === true) return undefined;
      text += chunk.value;
    }
    const end = text.indexOf('\n\n');
    const lines = text.slice(0, end);
    text = text.slice(end + 2);
    return lines;
  }

  return {
    reply,
    retry: '',
    lastId: () => id,
    close: () => controller.abort(),
    /** The next event; `undefined` at the end. Heartbeats and reconnect delays are recorded and skipped. */
    async next(): Promise<SentEvent | undefined> {
      for (;;) {
        const lines = await block();
        if (lines === undefined) return undefined;
        const fields = new Map<string, string[]>();
        for (const line of lines.split('\n')) {
          const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
          fields.set(name, [...(fields.get(name) ?? []), value]);
        }
        id = fields.get('id')?.[0] ?? id;
        this.retry = fields.get('retry')?.[0] ?? this.retry;
        const data = fields.get('data');
        if (data !== undefined)
          return { id, event: fields.get('event')?.[0] ?? 'message', data: JSON.parse(data.join('\n')) };
      }
    },
    async refused(status: number, code: number): Promise<string> {
      expect(reply.status).toBe(status);
      const { code: written, message } = JSON.parse(await reply.text());
      expect(written).toBe(code);
      return message;
    },
  };
}
