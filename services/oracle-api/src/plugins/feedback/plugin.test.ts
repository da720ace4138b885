import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';

const operatorToken = randomBytes(32).toString('hex');

describe('feedback on answers', () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await createTestOracle({ env: { FEEDBACK_OPERATOR_TOKEN: operatorToken } });
  });
  afterAll(() => oracle.close());

  const call = (user: TestUser, method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    oracle.inject({ method, url, headers: user.headers, ...(payload === undefined ? {} : { payload }) });

  /** A user with an answer: the session and its messages. */
  async function answered() {
    const user = await oracle.newUser();
    const sessionId = await user.openSession();
    await user.say('Habari', sessionId);
    const { messages } = (await call(user, 'GET', `/messages/${sessionId}`)).json<{ messages: { id: string }[] }>();
    const [question = '', answer = ''] = messages.map(({ id }) => id);
    const of = `/sessions/${sessionId}/feedback`;
    const marks = async () => (await call(user, 'GET', of)).json<{ feedback: object[] }>().feedback;
    return { user, sessionId, question, answer, of, marks };
  }

  it('is stored, replaced and removed', async () => {
    const { user, of, answer, marks } = await answered();
    const given = { rating: 'down', reasons: ['unclear', 'incorrect', 'unclear'], comment: '  Too long ' };
    const kept = { messageId: answer, rating: 'down', reasons: ['incorrect', 'unclear'], comment: 'Too long' };
    const reply = await call(user, 'PUT', `${of}/${answer}`, given);
    expect([reply.statusCode, reply.json()]).toEqual([200, { ...kept, updatedAt: expect.any(String) }]);
    expect(await marks()).toEqual([reply.json()]);
    await call(user, 'PUT', `${of}/${answer}`, { rating: 'up', comment: ' ' });
    const up = { messageId: answer, rating: 'up', reasons: [], updatedAt: expect.any(String) };
    expect(await marks()).toEqual([up]);
    expect((await call(user, 'DELETE', `${of}/${answer}`)).statusCode).toBe(200);
    expect((await call(user, 'DELETE', `${of}/${answer}`)).statusCode).toBe(404);
    expect(await marks()).toEqual([]);
  });

  it.each([
    ['no rating', {}],
    ['another rating', { rating: 'sideways' }],
    ['an unknown reason', { rating: 'down', reasons: ['ugly'] }],
    ['too many reasons', { rating: 'down', reasons: Array.from({ length: 6 }, () => 'unclear') }],
    ['a comment that is too long', { rating: 'down', comment: 'x'.repeat(1_001) }],
  ])('is refused with %s', async (_what, payload) => {
    const { user, of, answer, marks } = await answered();
    expect((await call(user, 'PUT', `${of}/${answer}`, payload)).json()).toMatchObject({ statusCode: 400 });
    expect(await marks()).toEqual([]);
  });

  it('is only for answers of the user’s own sessions', async () => {
    const [asha, bo] = [await answered(), await answered()];
    await call(asha.user, 'PUT', `${asha.of}/${asha.answer}`, { rating: 'up' });
    const put = async (url: string) => (await call(bo.user, 'PUT', url, { rating: 'down' })).json();
    const absent = await put(`/sessions/none/feedback/${bo.answer}`);
    expect(absent).toMatchObject({ statusCode: 404, message: 'Answer not found' });
    expect(await put(`${asha.of}/${asha.answer}`)).toEqual(absent);
    expect(await put(`${bo.of}/${bo.question}`)).toEqual(absent);
    expect(await put(`${bo.of}/a%00b`)).toEqual(absent);
    expect((await call(bo.user, 'GET', asha.of)).json()).toEqual({ feedback: [] });
    expect((await call(bo.user, 'DELETE', `${asha.of}/${asha.answer}`)).statusCode).toBe(404);
    expect(await asha.marks()).toMatchObject([{ rating: 'up' }]);
  });

  it('is deleted with its session, and with its user', async () => {
    const { user, sessionId, of, answer, marks } = await answered();
    await call(user, 'PUT', `${of}/${answer}`, { rating: 'up' });
    expect((await call(user, 'DELETE', `/sessions/${sessionId}`)).statusCode).toBe(200);
    expect(await marks()).toEqual([]);
    const other = await answered();
    await call(other.user, 'PUT', `${other.of}/${other.answer}`, { rating: 'up', comment: 'Asante' });
    const receipt = (await call(other.user, 'DELETE', '/account')).json();
    expect(receipt.deleted).toMatchObject({ 'feedback/ratings': 1 });
  });

  it('is read by the operator: counts and comments, without their authors', async () => {
    const { user, sessionId, of, answer } = await answered();
    const said = { rating: 'down', reasons: ['harmful'], comment: 'Never say that to a child' };
    await call(user, 'PUT', `${of}/${answer}`, said);
    const read = (token: string) =>
      oracle.inject({ url: '/feedback?days=1', headers: { authorization: `Bearer ${token}` } });
    const reply = await read(operatorToken);
    expect(reply.json()).toMatchObject({ down: 1, reasons: { harmful: 1, unclear: 0 }, comments: [said] });
    for (const theirs of [user.did, sessionId, answer]) expect(reply.body).not.toContain(theirs);
    expect((await read('of somebody else')).statusCode).toBe(401);
    expect((await call(user, 'GET', '/feedback')).statusCode).toBe(401);
  });
});
