import { type MessageRecord, messageList } from '@mlango/schemas/oracle-messages';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import type { Deps } from '../deps.js';
import { ModelError } from '../models/model-error.js';
import { gate, scriptedModel } from '../models/scripted-model.fixture.js';
import { mostBranches } from '../store/branches.js';

let app: HttpApp;
let deps: Deps;
let asha: Record<string, string>;
const none = undefined;
const hold = gate();
/** Answers with all messages that it received. */
const { model } = scriptedModel(({ messages }) => {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  if (said.at(-1) === 'break') return [new ModelError('server', 'Away.', { retryable: true })];
  if (said.at(-1) === 'wait') return ['half', hold.opened];
  return [`> ${said.join(', ')}`];
});
beforeAll(async () => {
  ({ app, deps } = await testApp({ model }));
  asha = await headersOf('a');
});
afterAll(() => app.close());

function talk(sessionId: string, headers = asha) {
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const reply = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return { status: reply.statusCode, body: reply.json() };
  };
  const listed = async (): Promise<MessageRecord[]> =>
    messageList.strict().parse((await call('GET', `/messages/${sessionId}`)).body).messages;
  return {
    call,
    listed,
    send: (message: string, body: object = {}) => call('POST', `/messages/${sessionId}`, { message, ...body }),
    again: (messageId: string, body: object = {}) =>
      call('POST', `/sessions/${sessionId}/messages/${messageId}/regenerate`, body),
    select: (messageId: string) => call('PUT', `/sessions/${sessionId}/branch`, { messageId }),
    branches: async () => (await call('GET', `/sessions/${sessionId}/branches`)).body.branches,
    words: async () => (await listed()).map(({ content }) => content),
    idOf: async (at: number) => (await listed()).at(at)?.id ?? '',
  };
}
async function opened() {
  const sessionId = await newSession(app, asha);
  return { sessionId, ...talk(sessionId) };
}

describe('an edited message', () => {
  it('replaces the original, which is stored with its later messages', async () => {
    const { sessionId, send, words, idOf, listed, select, branches, call } = await opened();
    for (const message of ['one', 'two', 'three']) await send(message);
    const two = await idOf(2);
    expect(await send('zwei', { edits: two })).toMatchObject({ status: 200 });
    expect(await words()).toEqual(['one', '> one', 'zwei', '> one, zwei']);
    await send('drei');
    expect(await words()).toEqual(['one', '> one', 'zwei', '> one, zwei', 'drei', '> one, zwei, drei']);
    const { siblings } = (await listed())[2] ?? {};
    expect(siblings).toEqual([two, await idOf(2)]);
    expect((await listed()).map((message) => message.siblings?.length)).toEqual([none, none, 2, none, none, none]);
    expect(await branches()).toMatchObject([
      { content: 'drei', isSelected: true },
      { content: 'three', isSelected: false },
    ]);
    expect(await select(two)).toMatchObject({ status: 200, body: { branches: [{}, { isSelected: true }] } });
    expect(await words()).toEqual(['one', '> one', 'two', '> one, two', 'three', '> one, two, three']);
    await send('four');
    expect((await words()).at(-1)).toBe('> one, two, three, four');
    const page = await call('GET', `/sessions/${sessionId}/messages?limit=3`);
    expect(page.body.messages[0]).toMatchObject({ id: two, siblings });
  });

  it('is refused if the message does not exist or belongs to another user', async () => {
    const sessionId = await newSession(app, asha);
    const mine = talk(sessionId);
    await mine.send('one');
    const one = await mine.idOf(0);
    const absent = { status: 404, body: { message: 'Message not found' } };
    expect(await mine.send('no', { edits: 'nobody' })).toMatchObject(absent);
    const bo = talk(sessionId, await headersOf('b'));
    for (const refused of [bo.send('no', { edits: one }), bo.again(one), bo.select(one)]) {
      expect(await refused).toMatchObject(absent);
    }
    expect(await bo.branches()).toEqual([]);
    expect(await mine.words()).toEqual(['one', '> one']);
  });

  it('interrupts the running answer, which stays on its branch', async () => {
    const { send, words, idOf, select } = await opened();
    await send('one');
    const first = send('wait');
    await vi.waitFor(async () => expect(await words()).toHaveLength(3));
    const wait = await idOf(2);
    const [edited, other] = await Promise.all([send('a', { edits: wait }), send('b', { edits: wait })]);
    expect([(await first).body.status, edited.status, other.status]).toEqual(['interrupted', 200, 200]);
    const last = (await words()).at(-2) ?? '';
    expect(['a', 'b']).toContain(last);
    expect(await words()).toEqual(['one', '> one', last, expect.stringMatching(/one, [ab]$|^$/)]);
    expect(await select(wait)).toMatchObject({ status: 200 });
    expect(await words()).toEqual(['one', '> one', 'wait', 'half']);
  });

  it(`has at most ${mostBranches} branches`, async () => {
    const { send, idOf } = await opened();
    await send('one');
    const one = await idOf(0);
    const tips = vi.spyOn(deps.conversations, 'branchTips').mockResolvedValueOnce(
      Array.from({ length: mostBranches + 1 }, (_, place) => ({
        messageId: 'm',
        turnId: 't',
        type: 'human' as const,
        content: '',
        createdAt: new Date(0),
        place,
      })),
    );
    expect(await send('again', { edits: one })).toMatchObject({ status: 409 });
    tips.mockRestore();
  });
});

describe('a regenerated answer', () => {
  it('is a branch next to the other answers, and each can be selected', async () => {
    const { send, again, listed, words, idOf, select } = await opened();
    await send('one');
    await send('two');
    const first = await idOf(3);
    expect(await again(first)).toMatchObject({ status: 200 });
    expect(await words()).toEqual(['one', '> one', 'two', '> one, two']);
    const second = await idOf(3);
    expect(await again(await idOf(2), { returnAllMessages: true })).toMatchObject({ status: 200 });
    const third = await idOf(3);
    expect(new Set([first, second, third]).size).toBe(3);
    expect((await listed()).map(({ siblings }) => siblings)).toEqual([none, none, none, [first, second, third]]);
    await select(second);
    expect(await idOf(3)).toBe(second);
  });

  it('may fail, and the earlier answer remains', async () => {
    const { send, again, words, idOf, select } = await opened();
    await send('one');
    const broken = await send('break');
    expect(broken.status).toBe(503);
    const one = await idOf(1);
    await send('break', { edits: one });
    expect(await words()).toEqual(['break', '']);
    expect(await again(await idOf(0))).toMatchObject({ status: 503 });
    await select(one);
    expect(await words()).toEqual(['one', '> one', 'break', '']);
  });

  it('is streamed', async () => {
    const { sessionId, send, idOf } = await opened();
    await send('one');
    const url = `/sessions/${sessionId}/messages/${await idOf(1)}/regenerate`;
    const reply = await app.inject({ method: 'POST', url, headers: asha, payload: { stream: true } });
    expect(reply.headers['content-type']).toContain('text/event-stream');
    expect(reply.body).toContain('"status":"finished"');
  });
});
