import type { RunEvent } from '@mlango/schemas/oracle-events';

/** Address of an oracle, and authentication headers. */
export interface OracleAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a message. */
export interface Answered {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** How the turn ended. */
  readonly status: string;
  readonly seconds: number;
  /** Input and output tokens of the model; absent if the oracle does not report them. */
  readonly tokens?: number;
  /** Error text of a failed turn. */
  readonly error?: string;
}

/** Time limit of one answer. */
const answerMs = 300_000;

/** Opens a session and returns its id. Rejects if the oracle refuses. */
export async function openSession({ url, headers }: OracleAddress): Promise<string> {
  const reply = await fetch(`${url}/sessions`, { method: 'POST', headers, signal: AbortSignal.timeout(30_000) });
  if (!reply.ok) throw new Error(`POST /sessions: ${await refusalOf(reply)}`);
  return ((await reply.json()) as { sessionId: string }).sessionId;
}

/** Sends a message and reads the whole answer. Rejects if the oracle refuses or is unavailable. */
export async function sendMessage(
  { url, headers }: OracleAddress,
  sessionId: string,
  message: string,
): Promise<Answered> {
  const begunMs = performance.now();
  const reply = await fetch(`${url}/messages/${sessionId}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message, stream: true }),
    signal: AbortSignal.timeout(answerMs),
  });
  if (!reply.ok) throw new Error(await refusalOf(reply));
  const frames = framesIn(await reply.text());
  const of = <Name extends RunEvent['event']>(name: Name) =>
    frames.flatMap((frame) => (frame.event === name ? [frame.data as Extract<RunEvent, { event: Name }>['data']] : []));
  const [done] = of('done');
  const [error] = of('error');
  const calls = [...of('tool_call'), ...of('action_call')].filter(({ status }) => status === 'isRunning');
  return {
    text: of('message')
      .map(({ content }) => content)
      .join(''),
    calls: calls.map(({ toolName, args }) => ({ name: toolName, args })),
    status: done?.status ?? 'cut off',
    seconds: (performance.now() - begunMs) / 1_000,
    ...(done?.usage === undefined ? {} : { tokens: done.usage.inputTokens + done.usage.outputTokens }),
    ...(error === undefined ? {} : { error: error.detail }),
  };
}

async function refusalOf(reply: Response): Promise<string> {
  const body: unknown = await reply.json().catch(() => undefined);
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
  return `${reply.status} ${message}`.trim();
}

/** The protocol has one line of data in each frame. */
function framesIn(stream: string): { event: string; data: unknown }[] {
  return [...stream.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data) as unknown,
  }));
}
