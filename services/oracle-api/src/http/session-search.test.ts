import { sessionSearchPage } from '@mlango/schemas/oracle-sessions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../create-test-oracle.js';

let oracle: TestOracle;
let asha: TestUser;
let bo: TestUser;
beforeAll(async () => {
  oracle = await createTestOracle();
  [asha, bo] = [await oracle.newUser(), await oracle.newUser()];
});
afterAll(() => oracle.close());

const get = async ({ headers }: TestUser, url: string) => oracle.inject({ url, headers });
const found = async (user: TestUser, query: string) =>
  sessionSearchPage.strict().parse((await get(user, `/sessions/search?${query}`)).json());
const change = (user: TestUser, sessionId: string, payload: object) =>
  oracle.inject({ method: 'PATCH', url: `/sessions/${sessionId}`, headers: user.headers, payload });

describe('sessions of a user', () => {
  it('are searched by the text of their messages, for their owner only', async () => {
    const session = await asha.openSession();
    await asha.say('My umbrella is <b>green</b>', session);
    await bo.say('Where is my umbrella?');
    await change(asha, session, { title: 'Rain', archived: true });
    const { results, nextCursor } = await found(asha, 'q=umbrella');
    const [question] = results.filter(({ type }) => type === 'human');
    expect(question).toMatchObject({ sessionId: session, title: 'Rain', messageId: expect.any(String) });
    expect(question?.snippet).toContain('umbrella');
    expect([new Set(results.map(({ sessionId }) => sessionId)), nextCursor]).toEqual([new Set([session]), null]);
    expect(await found(bo, 'q=green')).toEqual({ results: [], nextCursor: null });
  });

  it('are searched page by page', async () => {
    const carol = await oracle.newUser();
    for (const count of [1, 2, 3]) await carol.say(`goat ${count}`);
    const all = await found(carol, 'q=goat&limit=50');
    const paged: object[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await found(carol, `q=goat&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...page.results);
      cursor = page.nextCursor;
    }
    expect(paged.length).toBeGreaterThanOrEqual(3);
    expect(paged).toEqual(all.results);
  });

  it.each(['', 'q=', 'q=%20', `q=${'x'.repeat(201)}`, 'q=x&limit=51', 'q=x&cursor=x', 'q=x&cursor=cDEuLTE%3D'])(
    'refuse an invalid search: %s',
    async (query) => {
      expect((await get(asha, `/sessions/search?${query}`)).statusCode).toBe(400);
    },
  );

  it('can be renamed and archived', async () => {
    const dan = await oracle.newUser();
    const [activeId, archivedId] = [await dan.openSession(), await dan.openSession()];
    const listed = async (query = '') => (await get(dan, `/sessions${query}`)).json();
    expect((await change(dan, activeId, { title: '  Goats  ' })).json()).toMatchObject({
      sessionId: activeId,
      title: 'Goats',
    });
    expect((await change(dan, archivedId, { archived: true })).json()).toMatchObject({
      archivedAt: expect.any(String),
    });
    expect(await listed()).toMatchObject({ total: 1, sessions: [{ sessionId: activeId, title: 'Goats' }] });
    expect(await listed('?archived=true')).toMatchObject({ total: 1, sessions: [{ sessionId: archivedId }] });
    await dan.say('hello', activeId);
    expect((await listed()).sessions[0].title).toBe('Goats');
    expect((await change(dan, archivedId, { archived: false })).json()).not.toHaveProperty('archivedAt');
    expect((await listed()).total).toBe(2);
    for (const payload of [{}, { title: '' }, { title: ' ' }, { title: 'x'.repeat(201) }, { archived: 'yes' }]) {
      expect((await change(dan, activeId, payload)).statusCode).toBe(400);
    }
    expect((await change(bo, activeId, { title: 'Mine' })).statusCode).toBe(404);
  });
});
