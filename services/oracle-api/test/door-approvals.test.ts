import OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { at, bank, open, type Payment } from './bank-that-asks.fixture.js';

describe('a call that the user has to allow, asked for by a client that knows nothing of that', () => {
  it('ends the answer with words that say where, and the answer goes on in a session that stays', async () => {
    const paid: Payment[] = [];
    const oracle = await open([bank(paid)], { DOORS: 'openai' });
    const user = await oracle.newUser();
    const me = at(oracle, user);
    const baseURL = `${await oracle.listen()}/v1`;
    const apiKey = user.headers['authorization']?.replace('Bearer ', '') ?? '';
    const messages = [{ role: 'user' as const, content: 'use the tool pay with {"amount":5}' }];
    const { choices } = await new OpenAI({ baseURL, apiKey }).chat.completions.create({ model: 'local', messages });
    const [call] = await me.waiting();
    expect(choices[0]?.message.content).toContain(`/runs/${call?.runId}/approvals`);
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
});
