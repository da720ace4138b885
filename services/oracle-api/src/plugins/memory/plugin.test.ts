import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../../create-test-oracle.js';

describe('memory', () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await createTestOracle();
  });
  afterAll(() => oracle.close());

  it('recalls in one session a memory of another, for the same user only', async () => {
    const [asha, bo] = [await oracle.newUser(), await oracle.newUser()];
    await asha.callTool('remember', { content: 'My goat is called Zuri' });
    const found = await asha.callTool('recall', { query: 'what is the name of my goat?' });
    expect(found).toMatchObject({ status: 'done', output: [{ kind: 'fact', content: 'My goat is called Zuri' }] });
    expect((await bo.callTool('recall', { query: 'goat' })).output).toEqual([]);
    expect((await asha.callTool('recall')).output).toHaveLength(1);
  });

  it('forgets by words or by id, and reports when no memory matches', async () => {
    const user = await oracle.newUser();
    await user.callTool('remember', { content: 'The gate code is 1234' });
    const report = await user.callTool('remember', { content: '12 bags', kind: 'artifact', title: 'Harvest' });
    expect((await user.callTool('forget', { query: 'gate code' })).output).toEqual({
      forgotten: 'The gate code is 1234',
    });
    const { id } = report.output as { id: string };
    expect((await user.callTool('forget', { id })).output).toEqual({ forgotten: id });
    expect(await user.callTool('forget', { id })).toEqual({
      status: 'error',
      output: { error: 'There is no memory of that id.' },
    });
    expect((await user.callTool('forget', { query: 'gate code' })).status).toBe('error');
    expect((await user.callTool('forget')).status).toBe('error');
  });

  it("lists the user's memories, in pages and by words, and deletes them", async () => {
    const [asha, bo] = [await oracle.newUser(), await oracle.newUser()];
    const get = async (headers: typeof asha.headers, query = '') =>
      (await oracle.inject({ url: `/memories${query}`, headers })).json();
    for (const content of ['I drink tea', 'I keep bees']) await asha.callTool('remember', { content });
    const all = await get(asha.headers);
    expect(all).toMatchObject({ total: 2, memories: [{ content: 'I keep bees' }, { content: 'I drink tea' }] });
    expect(await get(asha.headers, '?limit=1&offset=1')).toMatchObject({ memories: [{ content: 'I drink tea' }] });
    expect(await get(asha.headers, '?query=bee')).toMatchObject({ memories: [{ content: 'I keep bees' }], total: 1 });
    expect(await get(bo.headers)).toEqual({ memories: [], total: 0 });
    const remove = (headers: typeof asha.headers) =>
      oracle.inject({ method: 'DELETE', url: `/memories/${all.memories[0].id}`, headers });
    expect((await remove(bo.headers)).json()).toMatchObject({ statusCode: 404, message: 'Memory not found' });
    expect((await remove(asha.headers)).json()).toEqual({ message: 'Memory deleted successfully' });
    expect(await get(asha.headers)).toMatchObject({ total: 1 });
    expect((await oracle.inject({ url: '/memories?limit=0', headers: asha.headers })).statusCode).toBe(400);
  });

  it('stores memories that the user adds, and recalls them in conversation', async () => {
    const user = await oracle.newUser();
    const add = (payload: object) =>
      oracle.inject({ method: 'POST', url: '/memories', headers: user.headers, payload });
    const added = await add({ content: 'My boat is called Upepo' });
    expect(added.statusCode).toBe(201);
    expect(added.json()).toMatchObject({ kind: 'fact', content: 'My boat is called Upepo', id: expect.any(String) });
    expect((await user.callTool('recall', { query: 'boat' })).output).toMatchObject([{ id: added.json().id }]);
    for (const wrong of [{}, { content: ' ' }, { content: 'x', kind: 'rumour' }]) {
      expect((await add(wrong)).json()).toMatchObject({ statusCode: 400 });
    }
  });
});
