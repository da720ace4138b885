import { randomBytes } from 'node:crypto';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { expect } from 'vitest';
import type { TestOracle } from '../src/create-test-oracle.js';
import type { LanguageModel } from '../src/models/language-model.js';
import { localModel } from '../src/models/local/local-model.js';
import { gate } from '../src/models/scripted-model.fixture.js';

/** Contained in all earlier data of the user, and in no request. */
export const canary = 'CANARY42';

/** A client tool. */
export const zoom = { name: 'zoom', description: 'Zooms', parameters: { type: 'object' } };

/** The built-in model. `hold` is answered with the canary at once, and ends when it is released. */
export function holdingModel() {
  const local = localModel({ paceMs: 0 });
  let held = gate();
  let isHolding = gate();
  const model: LanguageModel = {
    id: 'local',
    label: 'Holding',
    async *stream(request, signal) {
      if (request.messages.at(-1)?.content !== 'hold') {
        yield* local.stream(request, signal);
        return;
      }
      yield { type: 'text', delta: `${canary} ` };
      isHolding.open();
      await held.opened;
      yield { type: 'text', delta: 'end' };
    },
  };
  const next = () => {
    held = gate();
    isHolding = gate();
    return { isHolding: isHolding.opened, release: held.open };
  };
  return { model, next };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });

/** A user with the canary in all sessions, memories, files, feedback and preferences. */
export async function canaryWorld(oracle: TestOracle, nextHold: ReturnType<typeof holdingModel>['next']) {
  const signer = signerFromSeed(randomBytes(32));
  const headers = bearer(await mintInvocation({ signer, audience: oracle.oracle.did }));
  const own = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object | string) => {
    const typed = typeof payload === 'string' ? { ...headers, 'content-type': 'text/plain' } : headers;
    const reply = await oracle.inject({ method, url, headers: typed, ...(payload === undefined ? {} : { payload }) });
    expect(reply.statusCode, `${method} ${url}: ${reply.body}`).toBeLessThan(300);
    return reply.json();
  };
  const post = (url: string, payload: object = {}) => own('POST', url, payload);
  const openSession = async (): Promise<string> => (await post('/sessions')).sessionId;
  const runOf = async (session: string): Promise<string> => (await own('GET', `/sessions/${session}/run`)).run.runId;
  const sendMessage = (session: string, message: string, requestId?: string) =>
    post(`/messages/${session}`, { message, requestId });

  const session = await openSession();
  await sendMessage(session, `say: ${canary}`, 'first');
  const runId = await runOf(session);
  await sendMessage(session, 'say: fine', 'second');
  await own('PATCH', `/sessions/${session}`, { title: canary });
  const [branch] = (await own('GET', `/sessions/${session}/branches`)).branches;
  await own('PUT', '/user-preferences', { userName: canary });
  const memoryId: string = (await post('/memories', { content: canary })).id;
  const upload = `/attachments?sessionId=${session}&filename=${canary}.txt`;
  const attachmentId: string = (await own('POST', upload, canary)).attachmentId;
  await own('PUT', `/sessions/${session}/feedback/first`, { rating: 'up', comment: canary });
  const named = await openSession();
  await sendMessage(named, 'say: fine', canary);
  await post('/approvals/always', { says: 'ask', plugin: 'memory', toolName: 'remember' });

  /** A new session with a pending call that has the canary in its arguments. */
  async function waitingCall() {
    const sessionId = await openSession();
    await sendMessage(sessionId, `use the tool remember with {"content":"${canary}"}`, 'waits');
    const [call] = (await own('GET', '/approvals')).approvals;
    return { sessionId, runId: String(call.runId), toolCallId: String(call.toolCallId) };
  }

  /** A new session with a running answer that has the canary. */
  async function liveRun() {
    const sessionId = await openSession();
    const { isHolding, release } = nextHold();
    const answered = oracle.inject({
      method: 'POST',
      url: `/messages/${sessionId}`,
      headers,
      payload: { message: 'hold', requestId: 'live' },
    });
    await isHolding;
    const end = async () => {
      release();
      await answered;
    };
    return { sessionId, runId: await runOf(sessionId), end };
  }
  /** A new session with an answer that waits for the result of a client tool call. */
  async function handedCall() {
    const sessionId = await openSession();
    const reply = await oracle.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { ...headers, 'x-session-id': sessionId },
      payload: {
        messages: [{ role: 'user', content: 'use the tool zoom with {"by":2}' }],
        tools: [{ type: 'function', function: zoom }],
      },
    });
    return { sessionId, callId: String(reply.json().choices[0].message.tool_calls[0].id) };
  }
  const ids = { session, named, runId, memoryId, attachmentId, messageId: String(branch.messageId) };
  return { ...ids, signer, headers, openSession, sendMessage, waitingCall, handedCall, liveRun };
}

export type CanaryWorld = Awaited<ReturnType<typeof canaryWorld>>;
