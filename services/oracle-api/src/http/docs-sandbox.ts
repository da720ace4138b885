import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpApp, SandboxValues } from '@mlango/service-kit/http-app';
import { mintDelegation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { developmentToken, type OracleIdentity, type TokenSettings } from '../identity/oracle-identity.js';

/** Longest wait for the sandbox data, in ms; an external model may be slow. */
const patienceMs = 10_000;

/** Sends a request as the sandbox user. Resolves with `undefined` if it is refused, for example by a disabled plugin. */
type SandboxRequest = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object | string) => Promise<unknown>;

/** Example parameters and bodies, so far. */
interface Things {
  readonly parameters: Record<string, string>;
  readonly operations: Record<string, { parameters?: Record<string, string>; body?: unknown }>;
}

/**
 * Creates a new user with a token, a session, an answered message, a pending call and further data, so that every documented route can be
 * tried. Not for production.
 */
export function docsSandbox(config: TokenSettings, oracle: OracleIdentity) {
  return async (app: Pick<HttpApp, 'inject'>): Promise<SandboxValues> => {
    const signer = signerFromSeed(randomBytes(32));
    const ucan = await developmentToken(config, oracle, signer);
    const caller = { authorization: `Bearer ${ucan}`, 'x-auth-type': 'ucan' };
    const send: SandboxRequest = async (method, url, payload) => {
      const type = typeof payload === 'string' ? 'text/plain' : 'application/json';
      const body = payload === undefined ? {} : { payload };
      const headers = payload === undefined ? caller : { ...caller, 'content-type': type };
      const reply = await app.inject({ method, url, headers, ...body });
      return reply.statusCode < 300 ? reply.json() : undefined;
    };
    const grant = { signer, audience: oracle.did, capabilities: [{ can: '*', with: signer.did }] } as const;
    const revoked = await mintDelegation(grant);
    const things: Things = {
      parameters: {},
      operations: {
        'POST /delegation': { body: { raw: await mintDelegation(grant) } },
        'POST /revocations': {
          body: { token: await mintRevocation({ signer, audience: oracle.did, token: revoked }) },
        },
      },
    };
    const isMade = new AbortController();
    const inTime = delay(patienceMs, undefined, { signal: isMade.signal }).catch(() => undefined);
    await Promise.race([makeThings(send, things), inTime]);
    isMade.abort();
    return { locks: { ucan, ucanSelector: 'ucan' }, ...structuredClone(things) };
  };
}

async function makeThings(send: SandboxRequest, { parameters, operations }: Things): Promise<void> {
  const note = (name: string, value: string | undefined) => {
    if (value !== undefined) parameters[name] = value;
  };
  const noteId = (operation: string, id: string | undefined) => {
    if (id !== undefined) operations[operation] = { parameters: { id } };
  };
  const openSession = async () => textAt(await send('POST', '/sessions'), 'sessionId') ?? '';
  const sessionId = await openSession();
  note('sessionId', sessionId);
  note('conversationId', sessionId);
  noteId('GET /api/chat/{id}/stream', sessionId);
  operations['POST /messages/abort'] = { body: { sessionId } };
  // Protocols with client-chosen session names use the id of the session, which is unique.
  const text = 'Hello';
  operations['POST /api/chat'] = {
    body: { id: sessionId, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] },
  };
  operations['POST /ag-ui'] = {
    body: { threadId: sessionId, runId: 'tea', messages: [{ role: 'user', content: text }] },
  };
  noteId('DELETE /memories/{id}', textAt(await send('POST', '/memories', { content: 'Likes tea.' }), 'id'));
  noteId(
    'DELETE /api-keys/{id}',
    textAt(await send('POST', '/api-keys', { name: 'a script', scopes: ['read'] }), 'id'),
  );
  const upload = `/attachments?sessionId=${sessionId}&filename=tea.txt`;
  note('attachmentId', textAt(await send('POST', upload, 'A cup of tea.'), 'attachmentId'));
  note('filename', 'tea.txt');
  note('q', 'Hello');
  note('model', textAt(await send('GET', '/v1/models'), 'data.0.id'));

  const answerId = textAt(await send('POST', `/messages/${sessionId}`, { message: text }), 'message.id') ?? '';
  note('runId', textAt(await send('GET', `/sessions/${sessionId}/run`), 'run.runId'));
  const messageId = textAt(await send('GET', `/sessions/${sessionId}/branches`), 'branches.0.messageId');
  note('messageId', messageId);
  operations['PUT /sessions/{sessionId}/branch'] = { body: { messageId } };
  const feedback = `/sessions/${sessionId}/feedback/${answerId}`;
  await send('PUT', feedback, { rating: 'up' });
  for (const method of ['PUT', 'DELETE']) {
    operations[`${method} /sessions/{sessionId}/feedback/{messageId}`] = { parameters: { messageId: answerId } };
  }
  note('responseId', textAt(await send('POST', '/v1/responses', { input: 'Hello' }), 'id'));

  const rule = { says: 'ask', plugin: 'memory', toolName: 'remember' };
  noteId('DELETE /approvals/always/{id}', textAt(await send('POST', '/approvals/always', rule), 'id'));
  // Only the built-in model follows this instruction exactly.
  const message = 'use the tool remember with {"content":"Likes tea."}';
  await send('POST', `/messages/${await openSession()}`, { message });
  const waiting = await send('GET', '/approvals');
  const [runId, toolCallId] = ['runId', 'toolCallId'].map((name) => textAt(waiting, `approvals.0.${name}`));
  if (runId === undefined || toolCallId === undefined) return;
  operations['POST /runs/{runId}/approvals/{toolCallId}'] = { parameters: { runId, toolCallId } };
}

/** Text at a path of a reply, such as `data.0.id`. */
function textAt(reply: unknown, place: string): string | undefined {
  const found = place.split('.').reduce<unknown>((value, name) => Object(value)[name], reply);
  return typeof found === 'string' ? found : undefined;
}
