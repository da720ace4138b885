import { modelList } from '@mlango/schemas/oracle';
import { messagePage, messageRecord } from '@mlango/schemas/oracle-messages';
import { sessionRecord } from '@mlango/schemas/oracle-sessions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { authOf, closeClients, listening, type Service, socketIoClient } from '../src/sockets/sockets.fixture.js';
import { framesOf, type PublishedClient, publishedClient, textOf } from './published-client.fixture.js';

interface Session {
  readonly sessionId: string;
  readonly title: string;
  readonly lastUpdatedAt: string;
}

let service: Service;
let asha: { invocation: string };
let client: PublishedClient;
beforeAll(async () => {
  service = await listening();
  asha = await authOf('a');
  client = publishedClient(service.base, asha);
});
afterAll(() => service.close());

const sessions = async (query = '') => client.call<{ sessions: Session[]; total: number }>('GET', `/sessions${query}`);

describe('public routes', () => {
  it('return exactly their fields without authentication', async () => {
    const get = async (path: string) => (await fetch(`${service.base}${path}`)).json();
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await get('/')).toEqual({ status: 'ok', message: expect.any(String), timestamp });
    expect(await get('/health')).toEqual({ status: 'ok', timestamp });
    const { models, default: first } = modelList.parse(await get('/models'));
    expect(models.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([first]);
  });
});

describe('a session', () => {
  it('is created with 201 and its whole record, Untitled', async () => {
    const reply = await client.reply('POST', '/sessions');
    const record = sessionRecord.strict().parse(await reply.json());
    expect([reply.status, record.title]).toEqual([201, 'Untitled']);
    expect(record.lastUpdatedAt).toBe(record.createdAt);
  });

  it('gets a title once, in the background, after the first full turn, which updates lastUpdatedAt', async () => {
    const sessionId = await client.newSession();
    const find = async () => (await sessions('?limit=100')).sessions.find((each) => each.sessionId === sessionId);
    const before = await find();
    await client.stream(sessionId, { message: 'Count to 2' });
    const titled = await vi.waitFor(async () => {
      const found = await find();
      expect(found?.title).toBe('Count to 2');
      return found;
    });
    expect(Date.parse(String(titled?.lastUpdatedAt))).toBeGreaterThan(Date.parse(String(before?.lastUpdatedAt)));
    await client.stream(sessionId, { message: 'Count to 3' });
    expect((await find())?.title).toBe('Count to 2');
  });

  it('is listed by its last activity, by default the first 20, 100 at most', async () => {
    const other = publishedClient(service.base, await authOf('l'));
    for (let count = 0; count < 101; count += 1) await other.newSession();
    const idsOf = async (query: string) => {
      const page = await other.call<{ sessions: Session[]; total: number }>('GET', `/sessions${query}`);
      expect(page.total).toBe(101);
      const times = page.sessions.map(({ lastUpdatedAt }) => lastUpdatedAt);
      expect(times).toEqual(times.toSorted().toReversed());
      return page.sessions.map(({ sessionId }) => sessionId);
    };
    const ids = [...(await idsOf('?limit=100')), ...(await idsOf('?limit=100&offset=100'))];
    expect(new Set(ids).size).toBe(101);
    expect(await idsOf('')).toEqual(ids.slice(0, 20));
    expect(await idsOf('?limit=2&offset=3')).toEqual(ids.slice(3, 5));
    expect(await idsOf('?limit=1000')).toEqual(ids.slice(0, 100));
    for (const odd of [
      '?limit=x&offset=y',
      '?limit=-3&offset=-1',
      '?limit=&offset=',
      '?limit=1.5',
      '?limit=1&limit=2',
    ]) {
      expect(await idsOf(odd), odd).toEqual(ids.slice(0, 20));
    }
    expect(await idsOf('?offset=500')).toEqual([]);
    const last = ids.at(-1) ?? '';
    await other.call('POST', `/messages/${last}`, { message: 'hello' });
    expect((await idsOf('?limit=1'))[0]).toBe(last);
  });

  it('is deleted with its messages, its runs, their streams and its sockets', async () => {
    const sessionId = await client.newSession();
    const reply = await client.reply('POST', `/messages/${sessionId}`, { message: 'Count to 5', stream: true });
    await reply.text();
    const runId = String(reply.headers.get('x-run-id'));
    const watching = socketIoClient(service.base, sessionId, asha);
    await watching.next('connected');
    expect((await client.reply('GET', `/runs/${runId}`)).status).toBe(200);
    expect(await client.call('DELETE', `/sessions/${sessionId}`)).toEqual({ message: 'Session deleted successfully' });
    await watching.next('disconnect');
    closeClients();
    expect((await sessions('?limit=100')).sessions.map((each) => each.sessionId)).not.toContain(sessionId);
    expect(await client.call('GET', `/messages/${sessionId}`)).toEqual({ messages: [] });
    expect(await client.call('GET', `/sessions/${sessionId}/run`)).toEqual({ run: null });
    expect((await client.reply('GET', `/runs/${runId}`)).status).toBe(404);
    const repeated = await client.reply('DELETE', `/sessions/${sessionId}`);
    expect([repeated.status, await repeated.json()]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'Session not found' },
    ]);
  });
});

describe('the messages of a session', () => {
  it('have exactly the fields of the record, and the id of a streamed answer is that of its stored form', async () => {
    const sessionId = await client.newSession();
    const file = {
      mxcUri: 'mxc://example.org/a',
      filename: 'a.png',
      mimetype: 'image/png',
      category: 'image',
      size: 9,
    };
    const headers = { 'x-request-id': 'my.request:1' };
    const body = { message: 'Say good morning', stream: true, attachments: [file] };
    const reply = await client.reply('POST', `/messages/${sessionId}`, body, headers);
    expect(reply.headers.get('x-request-id')).toBe('my.request:1');
    const frames = await framesOf(reply);
    const { messages } = await client.call<{ messages: Record<string, unknown>[] }>('GET', `/messages/${sessionId}`);
    for (const message of messages) messageRecord.strict().parse(message);
    const common = { isComplete: true, isReasoning: false, createdAt: expect.any(String) };
    expect(messages).toEqual([
      { id: expect.any(String), type: 'human', content: 'Say good morning', attachments: [file], ...common },
      { id: 'my.request:1', type: 'ai', content: textOf(frames), status: 'finished', ...common },
    ]);
    expect(frames[0]?.data['requestId']).toBe('my.request:1');
    expect(frames.at(-1)?.data['messageId']).toBe('my.request:1');
  });

  it('are returned in pages of whole turns, the newest first with only a limit', async () => {
    const sessionId = await client.newSession();
    for (const count of [1, 2, 3])
      await client.call('POST', `/messages/${sessionId}`, { message: `Count to ${count}` });
    const page = async (query: string) =>
      messagePage.strict().parse(await client.call('GET', `/sessions/${sessionId}/messages${query}`));
    const newest = await page('?limit=2');
    expect(newest.messages.map(({ content }) => content)).toEqual(['Count to 2', '1 2', 'Count to 3', '1 2 3']);
    expect([newest.hasOlder, newest.hasNewer, newest.nextCursor]).toEqual([true, false, null]);
    const oldest = await page(`?limit=2&before=${newest.prevCursor}`);
    expect(oldest.messages.map(({ content }) => content)).toEqual(['Count to 1', '1']);
    expect((await page(`?limit=100&after=${oldest.nextCursor}`)).messages).toEqual(newest.messages);
    for (const bad of [
      `?before=${newest.prevCursor}&after=${oldest.nextCursor}`,
      '?before=made-up',
      '?limit=101',
      '?limit=0',
    ]) {
      expect((await client.reply('GET', `/sessions/${sessionId}/messages${bad}`)).status, bad).toBe(400);
    }
  });
});
