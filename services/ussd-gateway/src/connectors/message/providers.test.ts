import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWebhookServer, type WebhookServer } from '../webhook/webhook-server.fixture.js';
import { providersAt } from './messages.fixture.js';

const message = { key: 'key-1.message', phoneNumber: '+254711000001', text: 'Paid: 250 & more' };
const recipient = (statusCode: number) => ({
  statusCode,
  number: '+254711000001',
  status: 'Success',
  cost: 'KES 0.8000',
  messageId: 'ATXid_1',
});
const ofAfricasTalking = (...Recipients: object[]) => ({
  text: JSON.stringify({ SMSMessageData: { Message: 'Sent to 1/1', Recipients } }),
  status: 201,
});
const ofInfobip = (groupId: number) => ({
  messageId: message.key,
  status: { groupId, groupName: 'SOME', id: 26, name: 'SOME' },
  to: '254711000001',
});

describe('a message provider', () => {
  let server: WebhookServer;
  let providers: ReturnType<typeof providersAt>;
  beforeEach(async () => {
    server = await openWebhookServer();
    providers = providersAt(server.url);
  });
  afterEach(async () => {
    await providers.close();
    await server.close();
  });

  it("receives the request that Africa's Talking documents", async () => {
    server.answer = () => ofAfricasTalking(recipient(101));
    expect(await providers.africastalking.send(message)).toEqual({ kind: 'accepted', reference: 'ATXid_1' });
    const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = server.received;
    expect([method, path, headers['apikey']]).toEqual(['POST', '/', 'an api key of theirs']);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      username: 'shop',
      to: '+254711000001',
      message: message.text,
      from: 'SHOP',
    });
  });

  it('receives the request that Infobip documents', async () => {
    server.answer = () => ({ text: JSON.stringify({ messages: [ofInfobip(1)] }) });
    expect(await providers.infobip.send(message)).toEqual({ kind: 'accepted', reference: message.key });
    const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = server.received;
    expect([method, path, headers.authorization]).toEqual(['POST', '/sms/3/messages', 'App an api key of theirs']);
    const destinations = [{ to: '254711000001', messageId: message.key }];
    const webhooks = { delivery: { url: 'https://ussd.example/reports?secret=s' } };
    expect(JSON.parse(body)).toEqual({
      messages: [{ sender: 'Shop', destinations, content: { text: message.text }, webhooks }],
    });
  });

  it.each([
    ['500, which leaves the delivery uncertain', { status: 500, text: '{}' }, 'unknown'],
    ['an unknown text', { status: 201, text: '<html>' }, 'unknown'],
    ['no recipient', ofAfricasTalking(), 'unknown'],
    ['an unknown status', ofAfricasTalking(recipient(777)), 'unknown'],
    ['a hold for a risk', ofAfricasTalking(recipient(401)), 'unknown'],
    ['an internal error', ofAfricasTalking(recipient(500)), 'unknown'],
    ['too many requests', { status: 429, text: '' }, 'notAccepted'],
    ['a wrong key', { status: 401, text: '' }, 'notAccepted'],
    ['no balance', ofAfricasTalking(recipient(405)), 'notAccepted'],
    ['no number', ofAfricasTalking(recipient(403)), 'ended'],
    ['a bad request', { status: 400, text: 'no' }, 'ended'],
    ['queued', ofAfricasTalking(recipient(102)), 'accepted'],
  ])("accepts or fails as Africa's Talking answers %s", async (_what, reply, kind) => {
    server.answer = () => reply;
    expect(await providers.africastalking.send(message)).toMatchObject({ kind });
  });

  it.each([
    ['InvalidSenderId', { Message: 'InvalidSenderId', Recipients: [] }],
    ['Could Not Send', { Message: 'Sent to 1/1', Recipients: [{ status: 'Could Not Send', messageId: 'ATXid_1' }] }],
    ['UserInBlacklist', { Message: 'Sent to 0/1', Recipients: [{ ...recipient(406), status: 'UserInBlacklist' }] }],
    ['InternalServerError', { Recipients: [{ statusCode: 500, status: 'InternalServerError', messageId: 'None' }] }],
    ['Sent to 0/1 Total Cost: 0', { Message: 'Sent to 0/1 Total Cost: 0', Recipients: [] }],
    ['Invalid number +…', { Message: 'Invalid number +254711000001', Recipients: [] }],
  ])("is refused by Africa's Talking with the provider's reason: %s", async (reason, SMSMessageData) => {
    server.answer = () => ({ status: 201, text: JSON.stringify({ SMSMessageData }) });
    expect(await providers.africastalking.send(message)).toEqual({ kind: 'ended', result: 'refused', reason });
  });

  it.each([
    ['500', { status: 500, text: '{}' }, 'unknown'],
    ['another shape', { text: '{"messages":[]}' }, 'unknown'],
    ['too many requests', { status: 429, text: '' }, 'notAccepted'],
    ['a wrong key', { status: 401, text: '' }, 'notAccepted'],
    ['a bad request', { status: 400, text: '' }, 'ended'],
    ['rejected', { text: JSON.stringify({ messages: [ofInfobip(5)] }) }, 'ended'],
  ])('accepts or fails as Infobip answers %s', async (_what, reply, kind) => {
    server.answer = () => reply;
    expect(await providers.infobip.send(message)).toMatchObject({ kind });
  });

  it('that times out may have accepted the message', async () => {
    server.answer = () => undefined;
    const hasty = providersAt(server.url, 200);
    for (const provider of [hasty.africastalking, hasty.infobip])
      expect(await provider.send(message)).toEqual({ kind: 'unknown', why: 'cannot be reached: TimeoutError' });
    await hasty.close();
  });

  it('that refuses the connection has certainly not accepted the message', async () => {
    await server.close();
    for (const provider of [providers.africastalking, providers.infobip])
      expect(await provider.send(message)).toMatchObject({
        kind: 'notAccepted',
        why: 'cannot be reached: ECONNREFUSED',
      });
    server = await openWebhookServer();
  });

  it.each([
    ['delivered', { results: [ofInfobip(3)] }, 'delivered'],
    ['on its way', { results: [ofInfobip(1)] }, 'underWay'],
    ['expired', { results: [ofInfobip(4)] }, 'undelivered'],
    ['in an unknown state', { results: [ofInfobip(9)] }, 'unreadable'],
    ['missing', { results: [] }, 'notFound'],
    ['in another shape', { ok: true }, 'unreadable'],
  ])('returns the status of a message that is %s', async (_what, reply, status) => {
    server.answer = () => ({ text: JSON.stringify(reply) });
    expect(await providers.infobip.poll?.(message.key)).toBe(status);
    expect(server.received[0]?.path).toBe('/sms/3/logs?messageId=key-1.message');
  });

  it('sends reports in its own format', () => {
    const { africastalking, infobip } = providers;
    const form = (status: string) =>
      `id=ATXid_1&status=${status}&phoneNumber=%2B254711000001&networkCode=63902&retryCount=0`;
    const statuses = ['Sent', 'Buffered', 'Success', 'Failed', 'Rejected', 'Dreamt', 'constructor'].map((status) =>
      africastalking.readReports?.(form(status)),
    );
    expect(statuses.flatMap((reports) => reports?.map(({ status }) => status))).toEqual([
      'underWay',
      'underWay',
      'delivered',
      'undelivered',
      'undelivered',
      'unreadable',
      'unreadable',
    ]);
    expect(africastalking.readReports?.(`${form('Failed')}&failureReason=UserInBlacklist`)).toEqual([
      { reference: 'ATXid_1', status: 'undelivered', reason: 'UserInBlacklist' },
    ]);
    expect(infobip.readReports?.(JSON.stringify({ results: [ofInfobip(3), ofInfobip(2)] }))).toEqual([
      { reference: message.key, status: 'delivered', reason: 'SOME' },
      { reference: message.key, status: 'undelivered', reason: 'SOME' },
    ]);
    for (const nonsense of ['', '{}', '[]', 'null', 'id=']) {
      expect(africastalking.readReports?.(nonsense)).toBeUndefined();
      expect(infobip.readReports?.(nonsense)).toBeUndefined();
    }
  });
});
