import type OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../../models/model-error.js';
import { gate, scriptedModel } from '../../../models/scripted-model.fixture.js';
import { openAiService, userOfService, zoom } from '../openai-client.fixture.js';

const { service, asha, own } = await userOfService();

const model = 'local';
const tool = { type: 'function' as const, strict: false, ...zoom.function };
const saidIn = async (session: string) => {
  const { messages } = await own<{ messages: { content: string }[] }>(`/messages/${session}`);
  return messages.map(({ content }) => content);
};

describe('a response', () => {
  it('is answered, stored in a session, and continued', async () => {
    const first = await asha.responses.create({ model, input: 'My name is Asha.' });
    expect(first).toMatchObject({ object: 'response', status: 'completed', store: true });
    const session = first.conversation?.id ?? '';
    const next = { model, input: 'What is my name?', previous_response_id: first.id };
    const second = await asha.responses.create(next);
    expect(second.output_text).toContain('Asha');
    expect(second.conversation?.id).toBe(session);
    expect(await saidIn(session)).toEqual([
      'My name is Asha.',
      first.output_text,
      'What is my name?',
      second.output_text,
    ]);
    expect((await asha.responses.retrieve(first.id)).output_text).toBe(first.output_text);
    await expect(asha.responses.create(next)).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
      code: 'previous_response_not_last',
    });
  });

  it('is streamed with the documented events, and can be reread after any of them', async () => {
    const helper = asha.responses.stream({ model, input: 'say: one two three' });
    const final = await helper.finalResponse();
    expect([final.output_text, final.status]).toEqual(['one two three', 'completed']);
    const read = async (after?: number) => {
      const events: OpenAI.Responses.ResponseStreamEvent[] = [];
      const query = { stream: true as const, ...(after === undefined ? {} : { starting_after: after }) };
      for await (const event of await asha.responses.retrieve(final.id, query)) events.push(event);
      return events;
    };
    const all = await read();
    expect([...new Set(all.map(({ type }) => type))]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    for (const [at, { sequence_number }] of all.slice(0, -1).entries()) {
      expect(await read(sequence_number)).toEqual(all.slice(at + 1));
    }
  });

  it('ends with client tool calls, also streamed, and continues with their results', async () => {
    const input = 'use the tool zoom with {"by": 2}';
    const asked = await asha.responses.stream({ model, input, tools: [tool] }).finalResponse();
    const [call] = asked.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'zoom', arguments: '{"by":2}', status: 'completed' });
    if (call?.type !== 'function_call') return;
    const answer = await asha.responses.create({
      model,
      tools: [tool],
      previous_response_id: asked.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'zoomed twice' }],
    });
    expect(answer.output_text).toContain('zoomed twice');
  });

  it('stores nothing if `store` is false', async () => {
    const totals = () =>
      Promise.all(
        ['', '?archived=true'].map(async (query) => (await own<{ total: number }>(`/sessions${query}`)).total),
      );
    const before = await totals();
    const { output_text, conversation } = await asha.responses.create({
      model,
      store: false,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'My name is Asha.' },
        { role: 'assistant', content: 'Hello Asha.' },
        { role: 'user', content: [{ type: 'input_text', text: 'say: gone' }] },
      ],
    });
    expect([output_text, conversation]).toEqual(['gone', null]);
    await vi.waitFor(async () => expect(await totals()).toEqual(before));
  });

  it('belongs to its user', async () => {
    const { id, conversation } = await asha.responses.create({ model, input: 'hi' });
    const juma = await service.clientOf('j');
    await expect(juma.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(juma.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
    await expect(juma.responses.create({ model, input: 'hi', previous_response_id: id })).rejects.toMatchObject({
      code: 'previous_response_not_found',
    });
    const there = { model, input: 'hi', conversation: conversation?.id ?? '' };
    await expect(juma.responses.create(there)).rejects.toMatchObject({ status: 404 });
    await expect(juma.conversations.items.list(there.conversation)).rejects.toMatchObject({ status: 404 });
  });

  it('continues if its reader disconnects, is read again, and is stopped by its own cancel', async () => {
    const hold = gate();
    const other = await openAiService({ model: scriptedModel(['Well, ', hold.opened, 'here it is.']).model });
    const client = await other.clientOf('a');
    const begin = async () => {
      const stream = await client.responses.create({ model: 'scripted', input: 'hi', stream: true });
      let id = '';
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta') return { id, after: event.sequence_number };
      }
      throw new Error('nothing was said');
    };
    const stopped = await begin();
    expect((await client.responses.retrieve(stopped.id)).status).toBe('in_progress');
    expect((await client.responses.cancel(stopped.id)).status).toBe('cancelled');
    await vi.waitFor(async () => expect((await client.responses.retrieve(stopped.id)).status).toBe('cancelled'));
    const left = await begin();
    hold.open();
    const rest = await client.responses.retrieve(left.id, { stream: true, starting_after: left.after });
    let text = '';
    for await (const event of rest) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('here it is.');
    await other.close();
  });

  it('fails with errors of this protocol', async () => {
    const broken = new ModelError('server', 'The model is away.', { retryable: true });
    const other = await openAiService({ model: scriptedModel(['Well', broken]).model });
    const client = await other.clientOf('a');
    const body = { model: 'scripted', input: 'hi' };
    await expect(client.responses.create(body)).rejects.toMatchObject({ status: 503 });
    const failed = await client.responses.stream(body).finalResponse();
    expect(failed).toMatchObject({ status: 'failed', error: { message: 'The model is away.' } });
    await other.close();
    const { total } = await own<{ total: number }>('/sessions');
    await expect(asha.responses.create({ model: 'gpt-none', input: 'hi' })).rejects.toMatchObject({ status: 404 });
    expect((await own<{ total: number }>('/sessions')).total).toBe(total);
    for (const [wrong, param] of [
      [{ tools: [{ type: 'web_search' }] }, 'tools.0.name'],
      [{ background: true }, 'background'],
    ] as const) {
      const refused = asha.responses.create({ model, input: 'hi', ...wrong } as never);
      await expect(refused).rejects.toMatchObject({ status: 400, param });
    }
  });
});

describe('a conversation', () => {
  it('is a session: created, written, read and deleted through either API', async () => {
    const { id } = await asha.conversations.create();
    await own(`/messages/${id}`, 'POST', { message: 'say: from our side' });
    await asha.responses.create({ model, input: 'say: from theirs', conversation: id });
    const items = (await asha.conversations.items.list(id)).data;
    const texts = items.map((item) =>
      item.type === 'message' ? item.content.map((part) => 'text' in part && part.text) : [],
    );
    expect(texts.flat().toReversed()).toEqual(await saidIn(id));
    expect(await asha.conversations.retrieve(id)).toMatchObject({ id, object: 'conversation' });
    expect(await asha.conversations.delete(id)).toMatchObject({ id, deleted: true });
    await expect(asha.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});
