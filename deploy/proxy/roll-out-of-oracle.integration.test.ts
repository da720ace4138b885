import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAlong, textOf } from '../../services/oracle-api/test/published-client.fixture.js';
import { canRollOut } from './both-builds.fixture.js';
import { Work } from './disturbance.fixture.js';
import { LONG, oracleBuilds, oracleDid, userOf } from './oracle-builds.fixture.js';
import { oracleUser } from './oracle-client.fixture.js';

const streams = 150;
const users = 10;
const question = 'count to 40';
const answer = Array.from({ length: 40 }, (_, index) => index + 1).join(' ');

describe.skipIf(!canRollOut)('a roll-out of the oracle', { timeout: 180_000 }, () => {
  let builds: Awaited<ReturnType<typeof oracleBuilds>>;
  beforeAll(async () => {
    builds = await oracleBuilds({});
  });
  afterAll(() => builds.end());

  it('and back delivers every answer whole, and preserves every conversation', async () => {
    const { replicas, proxy } = await builds.behindProxy();
    const work = new Work(streams);
    const talks = Array.from({ length: users }, async () => {
      const user = await oracleUser(proxy, oracleDid, randomBytes(32));
      const sessionId = await user.newSession();
      const kept: string[] = [];
      while (work.goesOn) {
        const { frames, text, status } = await work.doing(() => user.answerTo(sessionId, question));
        kept.push(question, text);
        expect({ text, status }).toEqual({ text: answer, status: 'finished' });
        expect(frames.map(({ id }) => Number(id))).toEqual(frames.map((_, index) => index + 1));
        work.add(1);
      }
      expect(await user.contents(sessionId)).toEqual(kept);
    });
    await Promise.all([...talks, builds.thereAndBack(replicas, work)]);
  });

  it.each([
    ['the earlier build', 0, 1],
    ['the present build', 1, 0],
  ] as const)(
    'ends the runs that %s began before it died, and continues the queued ones',
    async (_build, first, second) => {
      const two = await builds.sideBySide({ RUN_CONFLICT: 'enqueue' });
      const { clients } = await userOf(two);
      const [here, there] = [clients[first], clients[second]];
      const sessionId = await here.newSession();
      const begun = await here.reply('POST', `/messages/${sessionId}`, { message: 'count to 5000', stream: true });
      const writer = readAlong(begun);
      const reader = readAlong(await there.reply('GET', `/runs/${begun.headers.get('x-run-id')}?after=0`));
      const waiting = there.stream(sessionId, { message: 'count to 3' });
      await expect.poll(reader.text, LONG).toContain('24');
      await Promise.all([two[first].kill(), expect(writer.whole).rejects.toThrow()]);
      const read = await reader.whole;
      expect(read.at(-1)).toMatchObject({ event: 'done', data: { status: 'interrupted' } });
      expect(textOf(await waiting)).toBe('1 2 3');
      await two[first].start();
      const { messages } = await here.call<{ messages: { content: string }[] }>('GET', `/messages/${sessionId}`);
      expect(messages.map(({ content }) => content)).toEqual(['count to 5000', textOf(read), 'count to 3', '1 2 3']);
      await Promise.all(two.map((replica) => replica.stop()));
    },
  );

  it('counts the requests of a user in one total for both builds', async () => {
    // The requests of earlier tests used the same address.
    const two = await builds.sideBySide({ RATE_LIMIT_MAX: '6', RATE_LIMIT_PER_ADDRESS: '1000000' });
    const { clients } = await userOf(two);
    const statuses: number[] = [];
    for (let turn = 0; turn < 8; turn += 1)
      statuses.push((await clients[turn % 2 === 0 ? 0 : 1].reply('GET', '/sessions')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
  });
});
