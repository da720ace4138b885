import { messagePage } from '@mlango/schemas/oracle-messages';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';

let app: HttpApp;
let asha: Record<string, string>;
let sessionId: string;
beforeAll(async () => {
  ({ app } = await testApp());
  asha = await headersOf('a');
  sessionId = await newSession(app, asha);
  for (let turn = 1; turn <= 25; turn++) {
    const payload = { message: `count to ${turn}` };
    await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: asha, payload });
  }
});
afterAll(() => app.close());

const get = (query: string, id = sessionId, headers = asha) =>
  app.inject({ url: `/sessions/${id}/messages${query}`, headers });
const page = async (query: string) => messagePage.strict().parse((await get(query)).json());
const asked = ({ messages }: { messages: { type: string; content: string }[] }) =>
  messages.filter(({ type }) => type === 'human').map(({ content }) => Number(content.replace('count to ', '')));

describe('GET /sessions/:sessionId/messages', () => {
  it('returns the newest 20 turns, oldest first and complete', async () => {
    const newest = await page('');
    expect(asked(newest)).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
    expect(newest.messages).toHaveLength(40);
    expect(newest).toMatchObject({ hasOlder: true, hasNewer: false, nextCursor: null });
    expect(await page('?limit=20')).toEqual(newest);
  });

  it('links to older turns by prevCursor and to newer turns by nextCursor', async () => {
    const newest = await page('?limit=10');
    const older = await page(`?limit=10&before=${newest.prevCursor}`);
    const oldest = await page(`?limit=10&before=${older.prevCursor}`);
    expect([asked(newest)[0], asked(older)[0], asked(oldest)[0]]).toEqual([16, 6, 1]);
    expect(oldest).toMatchObject({ hasOlder: false, hasNewer: true, prevCursor: null });
    expect(asked(await page(`?limit=10&after=${oldest.nextCursor}`))).toEqual(asked(older));
    expect(await page(`?limit=10&after=${older.nextCursor}`)).toMatchObject({ messages: newest.messages });
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=x', 'limit'],
    ['?before=made-up', 'before'],
    ['?after=made-up', 'after'],
    ['?before=', 'before'],
    ['?before=a&after=b', 'after'],
  ])('refuses %s and names the field', async (query, field) => {
    const reply = await get(query);
    expect(reply.json()).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: expect.stringContaining(field),
      fields: [field],
    });
    expect(reply.statusCode).toBe(400);
  });

  it('is 404 for a missing or foreign session, and refuses their cursors', async () => {
    const bo = { ...(await headersOf('b')), 'x-request-id': 'same' };
    const { prevCursor } = await page('?limit=1');
    for (const query of ['', `?before=${prevCursor}`]) {
      const [foreign, absent] = [await get(query, sessionId, bo), await get(query, 'nowhere', bo)];
      expect([foreign.statusCode, foreign.body]).toEqual([absent.statusCode, absent.body]);
      expect(foreign.body).not.toContain('count to');
    }
  });
});
