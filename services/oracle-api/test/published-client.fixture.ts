import { setTimeout as sleep } from 'node:timers/promises';
import { type RunEventName, runEvents } from '@mlango/schemas/oracle-events';
import { vi } from 'vitest';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';

/** An error as a client of this protocol reads it: from the body, not the status line. */
export class CallError extends Error {
  readonly statusCode: unknown;
  readonly body: Record<string, unknown>;

  constructor(body: Record<string, unknown>) {
    super(String(body['message']));
    this.statusCode = body['statusCode'];
    this.body = body;
  }
}

export interface StreamedFrame {
  readonly id: number;
  readonly event: RunEventName;
  readonly data: Record<string, unknown>;
}

/** Whether a busy process refused the request, which had no effect then; a failed turn names its run. */
export const isRefusedWork = ({ status, headers }: Response) => status === 503 && !headers.has('x-run-id');

/**
 * Calls the service over a socket like published clients: the JSON content type with every call, also without a body; `.json()` of every
 * success; the fields of the body of every failure. `isAskedAgain`: replies after which the call is retried.
 */
export function publishedClient(
  base: string,
  token: { readonly invocation: string },
  isRetried: (answer: Response) => boolean = () => false,
) {
  const auth = { authorization: `Bearer ${token.invocation}`, 'x-auth-type': 'ucan' };

  async function reply(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
    for (;;) {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...auth, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      if (!isRetried(answer)) return answer;
      await answer.body?.cancel();
      await sleep(100);
    }
  }

  async function call<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await reply(method, path, body);
    if (!answer.ok) throw new CallError((await answer.json()) as Record<string, unknown>);
    return (await answer.json()) as Body;
  }

  return {
    auth,
    reply,
    call,
    newSession: async () => (await call<{ sessionId: string }>('POST', '/sessions')).sessionId,
    stream: async (sessionId: string, body: object) =>
      framesOf(await reply('POST', `/messages/${sessionId}`, { ...body, stream: true })),
  };
}

export type PublishedClient = ReturnType<typeof publishedClient>;

/** The frames of a whole stream, each validated against its schema. */
export async function framesOf(answer: Response): Promise<StreamedFrame[]> {
  if (answer.headers.get('x-request-id') === null) throw new Error('a stream without X-Request-Id');
  return framesIn(await answer.text());
}

function framesIn(text: string): StreamedFrame[] {
  return parseSse(text).map(({ id, event, data }) => {
    const name = event as RunEventName;
    return { id: Number(id), event: name, data: runEvents[name].strict().parse(JSON.parse(data)) };
  });
}

/** Reads a stream to its end; `until` waits for a text in it. */
export function readAlong(answer: Response) {
  let text = '';
  const whole = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
    return framesIn(text);
  })();
  const until = (part: string) =>
    vi.waitFor(
      () => {
        if (!text.includes(part)) throw new Error(`"${part}" is not in: ${text}`);
      },
      { timeout: 10_000, interval: 20 },
    );
  return { whole, until, text: () => text };
}

/** Text of a reader after these frames. */
export function textOf(frames: readonly StreamedFrame[]): string {
  return frames.map(({ event, data }) => (event === 'message' ? String(data['content']) : '')).join('');
}
