import { randomBytes, randomUUID } from 'node:crypto';
import { mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { expect, it } from 'vitest';
import { at, bank, open, type Payment } from './bank-with-approvals.fixture.js';

it('only the user, or a key with read and tools, decides on a pending call through a protocol', {
  timeout: 60_000,
}, async () => {
  const paid: Payment[] = [];
  const oracle = await open([bank(paid)], { DOORS: 'mcp,a2a,ag-ui', API_KEYS: 'on' });
  const asha = signerFromSeed(randomBytes(32));
  const bo = signerFromSeed(randomBytes(32));
  const audience = oracle.oracle.did;
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
  const own = headersOf(await mintInvocation({ signer: asha, audience }));
  const capability = { can: 'oracle/converse', with: asha.did } as const;
  const proof = await mintDelegation({ signer: asha, audience: bo.did, capabilities: [capability] });
  const delegate = headersOf(await mintInvocation({ signer: bo, audience, capability, proofs: [proof] }));
  const keyFor = async (scopes: readonly string[]) => {
    const payload = { name: 'a script', scopes };
    const made = await oracle.inject({ method: 'POST', url: '/api-keys', headers: own, payload });
    return { authorization: `Bearer ${made.json<{ key: string }>().key}` };
  };
  const rpc = async (url: string, headers: Record<string, string>, method: string, params: object) => {
    const payload = { jsonrpc: '2.0', id: 1, method, params };
    return (await oracle.inject({ method: 'POST', url, headers, payload })).json<{
      result?: { task: object };
      error?: object;
    }>();
  };
  const send = (headers: Record<string, string>, part: object, taskId?: string) => {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [part], ...(taskId && { taskId }) };
    return rpc('/a2a', headers, 'SendMessage', { message });
  };
  const refused = { error: { data: { code: 'permission_denied' } } };

  // A delegate may send the message, and its call needs the user's approval.
  const reply = await send(delegate, { text: 'use the tool pay with {"amount":5}' });
  expect(reply).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } });
  const [call] = await at(oracle, { headers: own }).waiting();
  const { runId = '', toolCallId } = call ?? {};
  const allow = { data: { toolCallId, decision: 'allow' } };
  const talks = await keyFor(['doors', 'send']);
  for (const headers of [delegate, talks]) expect(await send(headers, allow, runId)).toMatchObject(refused);
  const resume = [{ interruptId: `${runId}/1/${toolCallId}`, status: 'resolved', payload: { decision: 'allow' } }];
  const payload = { threadId: 'any', runId: 'any', messages: [], resume };
  expect((await oracle.inject({ method: 'POST', url: '/ag-ui', headers: talks, payload })).statusCode).toBe(403);
  expect(await rpc('/a2a', talks, 'GetTask', { id: runId })).toMatchObject(refused);
  for (const headers of [delegate, talks]) {
    expect(await rpc('/mcp', headers, 'resources/list', {})).toMatchObject(refused);
  }
  // The reply contains the whole task of an earlier request.
  expect(await send(await keyFor(['doors', 'send', 'tools']), allow, runId)).toMatchObject(refused);
  expect(paid).toEqual([]);
  expect(await send(await keyFor(['doors', 'send', 'read', 'tools']), allow, runId)).toMatchObject({
    result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
  });
  expect(paid).toMatchObject([{ amount: 5 }]);
});
