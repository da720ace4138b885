import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle } from '../../create-test-oracle.js';
import { botToken, mention, signed, signingSecret } from './signed-event.fixture.js';
import { standInSlack } from './stand-in-slack.fixture.js';

describe.skipIf(redisUrl === undefined)('two replicas in one Slack workspace, over a real Redis', () => {
  let slack: Awaited<ReturnType<typeof standInSlack>>;
  let redis: Awaited<ReturnType<typeof freshRedis>>;
  let replicas: readonly TestOracle[] = [];
  beforeAll(async () => {
    slack = await standInSlack();
    redis = await freshRedis();
    const env = {
      REDIS_URL: redis.url,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_BOT_TOKEN: botToken,
      SLACK_API_URL: slack.url,
      SLACK_MEMBER_MESSAGES_PER_MINUTE: '2',
    };
    replicas = await Promise.all([createTestOracle({ env }), createTestOracle({ env })]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.drop();
    slack.close();
  });

  const deliver = async (event: object, ...to: number[]) => {
    const replies = await Promise.all(to.map(async (at) => replicas[at]?.inject(signed(event))));
    expect(replies.map((reply) => reply?.statusCode)).toEqual(to.map(() => 200));
  };
  const texts = () => slack.posted.map(({ body }) => body.text);
  const said = (text: string) => vi.waitFor(() => expect(texts()).toContain(text), { timeout: 5_000 });
  /** Posted messages, read after both replicas have answered another user. */
  const postedBefore = async (others: string) => {
    await deliver(mention(`repeat last ${others} 0`, { user: `${others}0` }), 0);
    await deliver(mention(`repeat last ${others} 1`, { user: `${others}1` }), 1);
    await said(`last ${others} 0`);
    await said(`last ${others} 1`);
    return texts().filter((text) => !text.startsWith('last'));
  };

  it('answer an event once that both receive, concurrently and repeatedly', async () => {
    const event = mention('repeat once');
    await deliver(event, 0, 1, 0, 1);
    await said('once');
    await deliver(event, 1, 0);
    expect(await postedBefore('UA')).toEqual(['once']);
  });

  it('share one limit per member', async () => {
    slack.posted.length = 0;
    const asha = { user: 'UASHA' };
    await deliver(mention('repeat one', asha), 0);
    await said('one');
    await deliver(mention('repeat two', asha), 1);
    await said('two');
    await deliver(mention('repeat three', asha), 0);
    await deliver(mention('repeat four', asha), 1);
    expect(await postedBefore('UB')).toEqual(['one', 'two', expect.stringContaining('more than I can answer')]);
  });
});
