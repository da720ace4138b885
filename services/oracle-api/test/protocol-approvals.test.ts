import { SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { HttpAgent } from '@ag-ui/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { at, bank, open, type Payment } from './bank-with-approvals.fixture.js';

describe('a call that needs approval, from a client without support for approvals', {
  timeout: 60_000,
}, () => {
  it('ends the answer with the place of the approval, and the run continues in a permanent session', async () => {
    const paid: Payment[] = [];
    const oracle = await open([bank(paid)], { DOORS: 'openai' });
    const user = await oracle.newUser();
    const me = at(oracle, user);
    const baseURL = `${await oracle.listen()}/v1`;
    const apiKey = user.headers['authorization']?.replace('Bearer ', '') ?? '';
    const messages = [{ role: 'user' as const, content: 'use the tool pay with {"amount":5}' }];
    const { choices } = await new OpenAI({ baseURL, apiKey }).chat.completions.create({ model: 'local', messages });
    const [call] = await me.waiting();
    expect(choices[0]?.message.content).toContain(`/runs/${call?.runId}/approvals/${call?.toolCallId}`);
    expect(choices[0]?.finish_reason).toBe('stop');
    const listed = () => oracle.inject({ url: '/sessions', headers: user.headers }).then((reply) => reply.json());
    await vi.waitFor(async () => {
      expect((await listed()).sessions).toMatchObject([{ title: 'Asked by a program' }]);
    });
    await me.settle({ decision: 'allow' }, call);
    const [{ sessionId }] = (await listed()).sessions;
    await me.ended(sessionId);
    expect(paid).toHaveLength(1);
    expect((await me.answer(sessionId)).content).toContain('paid');
  });
  it('is an error if the client requires an object, and the client sends no retry', async () => {
    const oracle = await open([bank([])], { DOORS: 'openai' });
    const user = await oracle.newUser();
    const me = at(oracle, user);
    const baseURL = `${await oracle.listen()}/v1`;
    const client = new OpenAI({ baseURL, apiKey: user.headers['authorization']?.replace('Bearer ', '') ?? '' });
    const content = 'use the tool pay with {"amount":5}';
    const format = { type: 'json_object' as const };
    const body = { model: 'local', messages: [{ role: 'user' as const, content }], response_format: format };
    const refusal = { code: 'approval_required', message: expect.stringContaining('approval of the user') };
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 409, ...refusal });
    expect(await me.waiting()).toHaveLength(1);
    await expect(client.chat.completions.stream(body).finalChatCompletion()).rejects.toMatchObject(refusal);
    const response = { model: 'local', input: content, text: { format } };
    await expect(client.responses.create(response)).rejects.toMatchObject({ status: 409, ...refusal });
    expect(await client.responses.stream(response).finalResponse()).toMatchObject({ status: 'failed', error: refusal });
  });
  it('by name from an MCP client is reported as pending, and executed once after its approval', async () => {
    const paid: Payment[] = [];
    const oracle = await open([bank(paid, { isOffered: true })], { DOORS: 'mcp' });
    const user = await oracle.newUser();
    const me = at(oracle, user);
    const url = new URL(`${await oracle.listen()}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...user.headers } } });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport as Transport);
    const result = await client.callTool({ name: 'pay', arguments: { amount: 5 } });
    const [call] = await me.waiting();
    expect(result).toMatchObject({
      content: [{ text: expect.stringContaining(`/runs/${call?.runId}/approvals/${call?.toolCallId}`) }],
      structuredContent: {
        status: 'waiting',
        run: call?.runId,
        waiting: [{ toolCallId: call?.toolCallId, toolName: 'pay', args: { amount: 5 } }],
      },
    });
    expect(paid).toEqual([]);
    const listed = () => me.request('GET', '/sessions').then(({ body }) => body.sessions);
    await vi.waitFor(async () => expect(await listed()).toHaveLength(1));
    await me.settle({ decision: 'allow' }, call);
    const [{ sessionId }] = await listed();
    await me.ended(sessionId);
    expect(paid).toMatchObject([{ amount: 5 }]);
    await client.close();
  });
  it('is a data part only for version 5 of the AI SDK, which fails at a part that it does not know', async () => {
    const oracle = await open([bank([])], { DOORS: 'ai-sdk' });
    const { headers } = await oracle.newUser();
    const text = 'use the tool pay with {"amount":5}';
    const ask = async (id: string, query: string) => {
      const payload = { id, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] };
      const { body } = await oracle.inject({ method: 'POST', url: `/api/chat${query}`, headers, payload });
      return body.match(/"type":"[a-z-]*approval[a-z-]*"/g);
    };
    const data = '"type":"data-approval"';
    expect(await ask('till-6', '')).toEqual(['"type":"tool-approval-request"', data]);
    expect(await ask('till-5', '?sdk=5')).toEqual([data]);
  });
  it('interrupts a run of AG-UI, which continues with the decision', async () => {
    const paid: Payment[] = [];
    const oracle = await open([bank(paid)], { DOORS: 'ag-ui' });
    const user = await oracle.newUser();
    const url = `${await oracle.listen()}/ag-ui`;
    const agent = new HttpAgent({ url, headers: { ...user.headers }, threadId: 'till' });
    const runs = async (parameters: Parameters<HttpAgent['runAgent']>[0] = {}) => {
      const types: string[] = [];
      const { newMessages } = await agent.runAgent(parameters, { onEvent: ({ event }) => void types.push(event.type) });
      const texts = newMessages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
      return { types, text: texts.join('') };
    };
    const pay = async (amount: number) => {
      agent.addMessage({ id: `${amount}`, role: 'user', content: `use the tool pay with {"amount":${amount}}` });
      return runs();
    };
    const settle = (payload: object) =>
      runs({ resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload })) });
    expect((await pay(5)).text).toContain('waits for your approval');
    expect(agent.pendingInterrupts).toMatchObject([
      { reason: 'approval', metadata: { toolName: 'pay', args: { amount: 5 } } },
    ]);
    // The client logs the refusal to the console.
    const quiet = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const bo = await oracle.newUser();
    const foreign = new HttpAgent({ url, headers: { ...bo.headers }, threadId: 'till' });
    const [interrupt] = agent.pendingInterrupts;
    const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload: { decision: 'allow' } }];
    await expect(foreign.runAgent({ resume })).rejects.toMatchObject({ status: 400 });
    quiet.mockRestore();
    const allowed = await settle({ decision: 'allow' });
    expect(allowed.types).toContain('TOOL_CALL_RESULT');
    expect(allowed.text).not.toContain('waits for your approval');
    expect(allowed.text).toContain('paid');
    expect(paid).toMatchObject([{ amount: 5 }]);
    await pay(6);
    await runs({ resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' })) });
    expect([paid.length, agent.pendingInterrupts]).toEqual([1, []]);
  });
  it('is a required input of a task of A2A, which continues with it', async () => {
    const paid: Payment[] = [];
    const oracle = await open([bank(paid)], { DOORS: 'a2a' });
    const user = await oracle.newUser();
    const fetchImpl: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', user.headers['authorization'] ?? '');
      return fetch(url, { ...init, headers });
    };
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
    const client = await factory.createFromUrl(await oracle.listen());
    const send = async (part: object, taskId?: string) => {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [part], taskId };
      const task = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
      if (!('status' in task)) throw new Error('no task');
      return task;
    };
    const task = await send({ text: 'use the tool pay with {"amount":5}' });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const [, request] = task.status?.message?.parts ?? [];
    const [call] = await at(oracle, user).waiting();
    const { runId, toolCallId } = call ?? {};
    expect(runId).toBe(task.id);
    expect(request?.content?.value).toEqual({ waiting: [{ toolCallId, toolName: 'pay', args: { amount: 5 } }] });
    await expect(send({ text: 'go on' }, task.id)).rejects.toThrow('data part');
    const file = { raw: 'aGk=', mediaType: 'text/plain' };
    await expect(send(file, task.id)).rejects.toThrow('message.parts[0]: a decision cannot have files');
    expect(paid).toEqual([]);
    const data = { toolCallId, decision: 'allow' };
    const done = await send({ data }, task.id);
    expect([done.id, done.status?.state]).toEqual([task.id, TaskState.TASK_STATE_COMPLETED]);
    expect(paid).toMatchObject([{ amount: 5 }]);
  });
});
