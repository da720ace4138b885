import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { botToken, mention, signed, signingSecret } from '../src/plugins/slack/signed-event.fixture.js';
import { standInSlack } from '../src/plugins/slack/stand-in-slack.fixture.js';

describe('a session id created by another user', { timeout: 60_000 }, () => {
  let slack: Awaited<ReturnType<typeof standInSlack>>;
  let oracle: TestOracle;
  let stranger: TestUser;
  beforeAll(async () => {
    slack = await standInSlack();
    const env = { SLACK_SIGNING_SECRET: signingSecret, SLACK_BOT_TOKEN: botToken, SLACK_API_URL: slack.url };
    oracle = await createTestOracle({ env: { ...env, DOORS: 'ai-sdk,ag-ui' } });
    stranger = await oracle.newUser();
  });
  afterAll(async () => {
    await oracle.close();
    slack.close();
  });

  const chat = ({ headers }: TestUser, id: string, text = 'say: hello') =>
    oracle.inject({
      method: 'POST',
      url: '/api/chat',
      headers,
      payload: { id, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] },
    });
  const agUi = ({ headers }: TestUser, threadId: string, content = 'say: hello') =>
    oracle.inject({
      method: 'POST',
      url: '/ag-ui',
      headers,
      payload: { threadId, runId: crypto.randomUUID(), messages: [{ role: 'user', content }] },
    });

  it('does not block the answer to a member of a Slack workspace', async () => {
    const digest = createHash('sha256').update('T1/C1/42.5/U7').digest('hex').slice(0, 40);
    expect((await chat(stranger, `slack-${digest}`)).statusCode).toBe(200);
    await oracle.inject(signed(mention('say: answered', { user: 'U7', thread_ts: '42.5' })));
    await vi.waitFor(() => expect(slack.posted.at(-1)?.body.text).toBe('answered'), { timeout: 10_000 });
  });

  it('cannot be one that the service derives', async () => {
    for (const id of ['plugin-slack-x', 'named-x']) {
      const [ofChat, ofAgUi] = [await chat(stranger, id), await agUi(stranger, id)];
      expect([ofChat.statusCode, ofChat.json().message]).toEqual([
        400,
        expect.stringContaining('id: must not begin with'),
      ]);
      expect([ofAgUi.statusCode, ofAgUi.json().message]).toEqual([
        400,
        expect.stringContaining('threadId: must not begin with'),
      ]);
    }
  });

  it.each([
    ['/api/chat', chat],
    ['/ag-ui', agUi],
  ])("does not block another user's conversation of that name at %s", async (url, sendTo) => {
    const [first, second] = [await oracle.newUser(), await oracle.newUser()];
    const name = `main${url.replaceAll('/', '_')}`;
    await sendTo(first, name, 'My name is Asha');
    const replies = [await sendTo(second, name, 'My name is Juma'), await sendTo(second, name, 'What is my name?')];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(replies[1]?.body).toContain('Juma');
    expect((await sendTo(first, name, 'What is my name?')).body).toContain('Asha');
    const { total } = (await oracle.inject({ url: '/sessions', headers: second.headers })).json<{ total: number }>();
    expect(total).toBe(1);
  });
});
