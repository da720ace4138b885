import { Writable } from 'node:stream';
import { createLogger } from '@mlango/service-kit/logging';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestOptions, testApp } from '../../../test/app.fixture.js';
import { createTestOracle, type TestOracle } from '../../create-test-oracle.js';
import { planOracle } from '../../oracle.js';
import { slack as slackPlugin } from './plugin.js';
import { mention, signingSecret as secret, signed, botToken as token } from './signed-event.fixture.js';
import { standInSlack } from './stand-in-slack.fixture.js';

describe('a Slack app', () => {
  let slack: Awaited<ReturnType<typeof standInSlack>>;
  let oracle: TestOracle;
  const env = () => ({ SLACK_SIGNING_SECRET: secret, SLACK_BOT_TOKEN: token, SLACK_API_URL: slack.url });
  /** A limit high enough for all messages of these tests. */
  const patient = () => ({ ...env(), SLACK_MEMBER_MESSAGES_PER_MINUTE: '1000' });
  beforeAll(async () => {
    slack = await standInSlack();
    oracle = await createTestOracle({ env: patient() });
  });
  afterAll(async () => {
    await oracle.close();
    slack.close();
  });
  beforeEach(() => {
    slack.posted.length = 0;
    slack.replies.length = 0;
  });

  const appWith = async ({ perMinute = 10, ...options }: TestOptions & { perMinute?: number }) => {
    const settings = new Map<string, Readonly<Record<string, unknown>>>([
      ['slack', { ...env(), SLACK_MEMBER_MESSAGES_PER_MINUTE: perMinute }],
      ['credits', { CREDITS_TURN_TOKENS: 100_000 }],
    ]);
    return testApp({ features: { slack: true }, ...options, settings });
  };
  const texts = () => slack.posted.map(({ body }) => body.text);
  /** Sends a message that is certainly answered, and waits for it: earlier messages have been answered by then. */
  const settled = async () => {
    const before = slack.posted.length;
    await oracle.inject(signed(mention('repeat the word last', { user: 'ULAST' })));
    await vi.waitFor(() => expect(slack.posted.length).toBeGreaterThan(before), { timeout: 5_000 });
    return slack.posted.slice(0, before);
  };

  it('gets an immediate reply to its event, and the answer in the thread', async () => {
    const event = mention('My name is Asha', { thread_ts: '77.5' });
    const reply = await oracle.inject(signed(event));
    expect([reply.statusCode, reply.json()]).toEqual([200, { ok: true }]);
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), { timeout: 5_000 });
    expect(slack.posted[0]).toEqual({
      path: '/api/chat.postMessage',
      authorization: `Bearer ${token}`,
      body: { channel: 'C1', thread_ts: '77.5', text: expect.stringContaining('Asha') },
    });
    await oracle.inject(signed(mention('What is my name?', { thread_ts: '77.5' })));
    await vi.waitFor(() => expect(texts()[1]).toContain('Asha'), { timeout: 5_000 });
  });

  it('has separate sessions for the users of one thread', async () => {
    await oracle.inject(signed(mention('My name is Zawadi', { thread_ts: '78.5' })));
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), { timeout: 5_000 });
    await oracle.inject(signed(mention('What is my name?', { thread_ts: '78.5', user: 'U2' })));
    await vi.waitFor(() => expect(slack.posted).toHaveLength(2), { timeout: 5_000 });
    expect(texts()[1]).not.toContain('Zawadi');
  });

  it('has its address verified', async () => {
    const reply = await oracle.inject(signed({ type: 'url_verification', challenge: 'c', token: 't' }));
    expect([reply.statusCode, reply.json()]).toEqual([200, { challenge: 'c' }]);
  });

  it('is rejected without a signature of its bytes that is at most five minutes old', async () => {
    const { headers, ...request } = signed(mention('hello'));
    const forged = [
      signed(mention('hello'), { by: 'another-signing-secret' }),
      signed(mention('hello'), { at: Date.now() - 301_000 }),
      signed(mention('hello'), { at: Date.now() + 302_000 }),
      { ...request, headers, payload: `${request.payload} ` },
      { ...request, headers: { 'content-type': 'application/json' } },
      { ...request, headers: { ...headers, 'x-slack-signature': 'v0=' } },
      { ...request, headers: { ...headers, 'x-slack-request-timestamp': 'now' } },
      signed({ type: 'url_verification', challenge: 'c' }, { by: 'another-signing-secret' }),
    ];
    for (const one of forged) expect((await oracle.inject(one)).statusCode).toBe(403);
    expect(await settled()).toEqual([]);
  });

  it('is answered once, for repeated deliveries of an event', async () => {
    const event = mention('repeat the word once', {}, 'EvAgain');
    const replies = await Promise.all([1, 2, 3].map(() => oracle.inject(signed(event))));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), { timeout: 5_000 });
    expect((await oracle.inject(signed(event))).statusCode).toBe(200);
    expect(await settled()).toHaveLength(1);
  });

  it.each([
    ['a bot', { bot_id: 'B1' }],
    ['a change of a message', { subtype: 'message_changed' }],
    ['a message in a channel without a mention', { type: 'message', channel_type: 'channel' }],
    ['nothing', { text: '<@UBOT>  ' }],
    ['nobody', { user: undefined }],
  ])('gets no answer to %s', async (_, event) => {
    expect((await oracle.inject(signed(mention('hello', event)))).statusCode).toBe(200);
    expect(await settled()).toEqual([]);
  });

  it('gets an answer to a direct message, with mentions escaped', async () => {
    const text = 'repeat after me: &lt;!channel&gt; &amp; all';
    await oracle.inject(signed(mention('', { type: 'message', channel_type: 'im', channel: 'D1', text })));
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), { timeout: 5_000 });
    expect(texts()[0]).toMatch(/^[^<>]+$/);
  });

  it('gets its answer again after a short rate limit', async () => {
    slack.replies.push({ status: 429, body: {}, headers: { 'retry-after': '0' } });
    await oracle.inject(signed(mention('hello')));
    await vi.waitFor(() => expect(slack.posted).toHaveLength(2), { timeout: 5_000 });
    expect(texts()[0]).toBe(texts()[1]);
  });

  it('sends a member above the limit one notice, and answers the others', async () => {
    const { app: strict } = await appWith({ perMinute: 2 });
    for (const text of ['repeat one', 'repeat two', 'repeat three', 'repeat four']) {
      expect((await strict.inject(signed(mention(text)))).statusCode).toBe(200);
    }
    await strict.inject(signed(mention('repeat five', { user: 'U2' })));
    await vi.waitFor(() => expect(slack.posted.length).toBeGreaterThanOrEqual(4), { timeout: 5_000 });
    await strict.close();
    expect(texts().sort()).toEqual([
      'That is more than I can answer at once. Please ask again in a minute.',
      'five',
      'one',
      'two',
    ]);
  });

  it('may send events of many members from one address, up to a limit', async () => {
    const { app } = await appWith({ rateLimitMax: 1 });
    const challenge = () => app.inject(signed({ type: 'url_verification', challenge: 'c' }));
    const statuses: number[] = [];
    for (let count = 0; count < 51; count += 1) statuses.push((await challenge()).statusCode);
    expect(statuses).toEqual([...Array(50).fill(200), 429]);
    expect((await app.inject({ url: '/models' })).statusCode).toBe(429);
    await app.close();
  });

  it('shows users the payment demand', async () => {
    const { app: paid } = await appWith({ features: { slack: true, credits: true } });
    await paid.inject(signed(mention('hello')));
    await vi.waitFor(() => expect(texts()[0]).toMatch(/Claims to pay: [\w-]{36}$/), { timeout: 5_000 });
    await paid.close();
  });

  it.each([
    [
      'cannot be opened',
      { createSession: () => Promise.reject(new Error('taken')) },
      'the session could not be opened',
    ],
    [
      'is not found',
      { findSession: async () => ({ sessionId: 's', createdAt: new Date(0), lastUpdatedAt: new Date(0) }) },
      'Slack message not answered: its session was not found',
    ],
  ])('logs the message if its session %s', async (_, broken, text) => {
    const lines: string[] = [];
    const destination = new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line));
        done();
      },
    });
    const logger = createLogger({ service: 'test', level: 'warn', destination });
    const { app, deps } = await appWith({ logger });
    Object.assign(deps.conversations, broken);
    await app.inject(signed(mention('hello', {}, 'EvLost')));
    await vi.waitFor(() => expect(lines.join('')).toContain(text), { timeout: 5_000 });
    expect(lines.join('')).toContain('EvLost');
    await app.close();
  });

  it('has neither its secret nor its token in the log when Slack rejects a message', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write: (line, _, done) => {
        lines.push(String(line));
        done();
      },
    });
    const logger = createLogger({ service: 'test', level: 'trace', destination });
    const { app } = await appWith({ logger });
    slack.replies.push({ status: 200, body: { ok: false, error: 'invalid_auth' } });
    const request = signed(mention('hello'));
    await app.inject(request);
    await vi.waitFor(() => expect(lines.join('')).toContain('Slack refused the message: invalid_auth'), {
      timeout: 5_000,
    });
    await app.close();
    for (const hidden of [secret, token, request.headers['x-slack-signature']]) {
      expect(lines.join('')).not.toContain(hidden);
    }
  });
});

describe('the plugin slack', () => {
  const isOn = (env: Record<string, string>, features = {}) =>
    planOracle({ plugins: [slackPlugin], env: { NODE_ENV: 'test', ...env }, features }).plugins.find(
      ({ plugin }) => plugin.name === 'slack',
    )?.isOn;

  it('is on if a signing secret is set, and then requires a token', () => {
    const settings = { SLACK_SIGNING_SECRET: secret, SLACK_BOT_TOKEN: token };
    expect([isOn({}), isOn(settings), isOn(settings, { slack: false })]).toEqual([false, true, false]);
    expect(() => isOn({ SLACK_SIGNING_SECRET: secret })).toThrow('SLACK_BOT_TOKEN: is required (plugin slack)');
    expect(() => isOn({}, { slack: true })).toThrow('SLACK_SIGNING_SECRET: is required');
    expect(() => isOn({ ...settings, SLACK_SIGNING_SECRET: 'short' })).toThrow('SLACK_SIGNING_SECRET: must be 16');
    expect(() => isOn({ ...settings, SLACK_BOT_TOKEN: 'xoxp-user' })).toThrow('SLACK_BOT_TOKEN: must be the bot token');
    expect(() => isOn({ ...settings, SLACK_MEMBER_MESSAGES_PER_MINUTE: '0' })).toThrow('must be at least 1');
    expect(() => isOn({ ...settings, SLACK_API_URL: 'slack' })).toThrow('SLACK_API_URL: must be a URL');
  });
});
