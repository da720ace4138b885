import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { parseSse, type SseEvent } from '../../services/oracle-api/src/runs/log/parse-sse.fixture.js';
import { ask, type Reply, type RunningProxy, target } from './doors.fixture.js';

/** Before a client retries an unavailable request, in ms. */
const pauseMs = 100;

export interface Answer {
  /** The frames of one run, in order, over all of its connections. */
  readonly frames: readonly SseEvent[];
  readonly text: string;
  readonly status: string;
}

/** A user of the oracle behind a proxy, with a client that retries as the published one does. */
export async function oracleUser(proxy: RunningProxy, oracleDid: string, seed: Buffer) {
  const invocation = await mintInvocation({ signer: signerFromSeed(seed), audience: oracleDid, lifetimeSeconds: 600 });
  const headers = {
    authorization: `Bearer ${invocation}`,
    'x-auth-type': 'ucan',
    'content-type': 'application/json',
  };
  const call = (method: string, path: string, body?: string) =>
    ask(proxy, 'oracle', path, { method, headers, ...(body === undefined ? {} : { body }) });

  /** Whole frames until the stream ends or breaks; none for a refused request. */
  async function stream(method: string, path: string, body?: string): Promise<SseEvent[]> {
    const sent = request({ method, ...target(proxy, 'oracle', path, { headers }) });
    let text = '';
    try {
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      if (response.statusCode !== 200) return [];
    } catch {
      // Cut: what is whole counts.
    }
    return parseSse(text);
  }

  async function runOf(sessionId: string, requestId: string): Promise<string | undefined> {
    const reply = await served(() => call('GET', `/sessions/${sessionId}/run`));
    const { run } = JSON.parse(reply.body) as { run: { runId: string; requestId: string } | null };
    return run?.requestId === requestId ? run.runId : undefined;
  }

  return {
    auth: { invocation },
    newSession: async () => {
      const reply = await served(() => call('POST', '/sessions'));
      return (JSON.parse(reply.body) as { sessionId: string }).sessionId;
    },
    contents: async (sessionId: string) => {
      const reply = await served(() => call('GET', `/messages/${sessionId}`));
      return (JSON.parse(reply.body) as { messages: { content: string }[] }).messages.map(({ content }) => content);
    },
    /** Sends a message once, and reads its answer to the end: `finished`, or `interrupted` where its replica died. */
    answerTo: async (sessionId: string, message: string): Promise<Answer> => {
      const requestId = randomUUID();
      const send = () => stream('POST', `/messages/${sessionId}`, JSON.stringify({ message, requestId, stream: true }));
      let frames = await send();
      while (frames.at(-1)?.event !== 'done') {
        await sleep(pauseMs);
        const runId = frames.length > 0 ? String(dataOf(frames[0])['runId']) : await runOf(sessionId, requestId);
        // A run unknown to every replica was never started.
        if (runId === undefined) frames = await send();
        else frames = [...frames, ...(await goneOn(runId, frames.length))];
      }
      const said = frames.filter(({ event }) => event === 'message').map((frame) => String(dataOf(frame)['content']));
      return { frames, text: said.join(''), status: String(dataOf(frames.at(-1))['status']) };
    },
  };

  /** A resumed stream begins with a frame that repeats its position, unless it starts with the first frame of the run. */
  async function goneOn(runId: string, after: number): Promise<SseEvent[]> {
    const frames = await stream('GET', `/runs/${runId}?after=${after}`);
    return after === 0 ? frames : frames.slice(1);
  }
}

/** Retries while no replica is available. */
async function served(call: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await call();
    if (reply.status < 300) return reply;
    if (reply.status < 502) throw new Error(`refused: ${reply.status} ${reply.body}`);
    await sleep(pauseMs);
  }
}

function dataOf(frame: SseEvent | undefined): Record<string, unknown> {
  return JSON.parse(frame?.data ?? '{}') as Record<string, unknown>;
}
