import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyDatabase } from '../../../test/support/embedded-database.js';
import { EffectStore } from '../../effects/effect-store.js';
import { openWebhookServer, type WebhookServer } from '../webhook/webhook-server.fixture.js';
import { logMessages, type MessageProvider, type SendResult } from './message-provider.js';
import { openProcess, providersAt } from './messages.fixture.js';

const taken = (messageId: string) => ({ text: JSON.stringify({ messages: [{ messageId, status: { groupId: 1 } }] }) });
const log = (messageId: string, groupId: number) => ({
  text: JSON.stringify({ results: [{ messageId, status: { groupId } }] }),
});
/** Accepted, with an unusable response. */
const lost = { status: 502, text: '' };
const nobody = { text: '{"results":[]}' };
const atTaken = {
  status: 201,
  text: JSON.stringify({ SMSMessageData: { Recipients: [{ statusCode: 101, messageId: 'ATXid_1' }] } }),
};

describe('a message', () => {
  let server: WebhookServer;
  let providers: ReturnType<typeof providersAt>;
  let effectStore: EffectStore;
  const pass = (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
  };
  const sends = () => server.received.filter(({ method }) => method === 'POST').length;
  beforeEach(async () => {
    server = await openWebhookServer();
    providers = providersAt(server.url);
    vi.useFakeTimers({ toFake: ['Date'] });
    effectStore = new EffectStore(await emptyDatabase());
  });
  afterEach(async () => {
    await providers.close();
    await server.close();
    vi.useRealTimers();
  });

  it('is queued at once, and sent with the facts of its subscriber', async () => {
    server.answer = () => atTaken;
    const { ask, work, resultOf, ended } = openProcess(providers.africastalking, effectStore);
    expect(await ask('a')).toEqual({ result: 'queued' });
    expect(sends()).toBe(0);
    await work();
    expect(new URLSearchParams(server.received[0]?.body).get('message')).toBe('Shop: 250 for +260971230567');
    expect([await resultOf('a'), ended]).toEqual(['sent', ['sent']]);
    await work();
    expect(sends()).toBe(1);
  });

  it('with an uncertain send is not repeated if the provider has no status query', async () => {
    const lines: string[] = [];
    const { ask, work, resultOf } = openProcess(providers.africastalking, effectStore, {
      log: (line) => lines.push(line),
    });
    for (const [index, reply] of [{ text: 'Sent!' }, { status: 500, text: '' }].entries()) {
      server.answer = () => reply;
      await ask(`a${index}`);
      await work();
      pass(3_600_000);
      await work();
      expect(await resultOf(`a${index}`)).toBe('uncertain');
    }
    expect(sends()).toBe(2);
    const said = lines.join('');
    expect(said).toContain('message not sent, or its delivery is unknown');
    expect(said).not.toMatch(/260971230567|250 for/);
  });

  it("that the provider refused is refused, with the provider's reason in the log and in the outcome", async () => {
    const lines: string[] = [];
    const { ask, work } = openProcess(providers.africastalking, effectStore, { log: (line) => lines.push(line) });
    const SMSMessageData = { Message: 'InvalidSenderId', Recipients: [] };
    server.answer = () => ({ status: 201, text: JSON.stringify({ SMSMessageData }) });
    await ask('a');
    await work();
    pass(3_600_000);
    await work();
    const outcome = { result: 'refused', facts: { reason: 'InvalidSenderId' } };
    expect((await effectStore.find('a.message'))?.outcome).toEqual(outcome);
    expect(await effectStore.toReview('default', 7_200_000, 10)).toMatchObject([{ key: 'a.message', outcome }]);
    expect(sends()).toBe(1);
    const said = lines.filter((line) => line.includes('InvalidSenderId'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('the provider refused a message');
  });

  it('that was certainly not accepted is retried with growing pauses, and abandoned in the end', async () => {
    server.answer = () => ({ status: 429, text: '' });
    const { ask, work, resultOf } = openProcess(providers.africastalking, effectStore);
    await ask('a');
    await work();
    await work();
    expect(sends()).toBe(1);
    pass(1001);
    await work();
    expect(sends()).toBe(2);
    server.answer = () => atTaken;
    pass(2001);
    await work();
    expect([await resultOf('a'), sends()]).toEqual(['sent', 3]);
    server.answer = () => ({ status: 429, text: '' });
    await ask('b', '+260971230568');
    for (let hour = 0; hour < 2; hour++) {
      await work();
      pass(3_600_001);
    }
    await work();
    expect(await resultOf('b')).toBe('unsent');
  });

  it('is queried by our reference where possible, and repeated only if it is still missing after a while', async () => {
    const { ask, work, resultOf } = openProcess(providers.infobip, effectStore);
    server.answer = ({ method }) => (method === 'POST' ? lost : nobody);
    await ask('a');
    for (let step = 0; step < 10; step++) {
      await work();
      pass(10_000);
    }
    expect(sends()).toBe(1);
    server.answer = ({ method }) => (method === 'POST' ? taken('a.message') : nobody);
    pass(30_000);
    await work();
    expect(sends()).toBe(2);
    expect(
      new Set(
        server.received
          .filter(({ method }) => method === 'POST')
          .map(({ body }) => JSON.parse(body).messages[0].destinations[0].messageId),
      ),
    ).toEqual(new Set(['a.message']));
    server.answer = () => log('a.message', 3);
    pass(200_000);
    await work();
    expect([await resultOf('a'), sends()]).toEqual(['delivered', 2]);
  });

  it('that was accepted while the response was lost is found by the query', async () => {
    const { ask, work, resultOf } = openProcess(providers.infobip, effectStore);
    server.answer = ({ method }) => (method === 'POST' ? lost : log('a.message', 1));
    await ask('a');
    await work();
    pass(5001);
    await work();
    server.answer = () => log('a.message', 3);
    pass(60_000);
    await work();
    expect([await resultOf('a'), sends()]).toEqual(['delivered', 1]);
  });

  it('without a delivery report within a day counts as sent', async () => {
    server.answer = ({ method }) => (method === 'POST' ? atTaken : nobody);
    const { ask, work, resultOf } = openProcess(providers.africastalking, effectStore, { hasReports: true });
    await ask('a');
    await work();
    expect(await resultOf('a')).toBeUndefined();
    pass(23 * 3_600_000 + 2);
    await work();
    expect([await resultOf('a'), sends()]).toEqual(['sent', 1]);
  });

  describe('if its process crashes', () => {
    const dyingAt = (provider: MessageProvider, when: 'before' | 'after', onDeath: () => void): MessageProvider => ({
      ...provider,
      send: async (message): Promise<SendResult> => {
        if (when === 'after') await provider.send(message);
        onDeath();
        // The process is dead here: the promise never resolves.
        return new Promise(() => {});
      },
    });
    const die = async (provider: MessageProvider, when: 'before' | 'after') => {
      let onDeath = () => {};
      const died = new Promise<void>((resolve) => {
        onDeath = resolve;
      });
      const dead = openProcess(dyingAt(provider, when, onDeath), effectStore);
      await dead.ask('a');
      await dead.effectRunner.resumeDue(10);
      await died;
      pass(3001);
    };

    it.each(['before', 'after'] as const)(
      '%s it was sent is not repeated if the provider has no status query',
      async (when) => {
        server.answer = () => atTaken;
        await die(providers.africastalking, when);
        const next = openProcess(providers.africastalking, effectStore);
        await next.work();
        expect([await next.resultOf('a'), sends()]).toEqual(['uncertain', when === 'after' ? 1 : 0]);
      },
    );

    it('after it was sent is found at a provider with a status query', async () => {
      server.answer = ({ method }) => (method === 'POST' ? taken('a.message') : log('a.message', 3));
      await die(providers.infobip, 'after');
      const next = openProcess(providers.infobip, effectStore);
      await next.work();
      expect([await next.resultOf('a'), sends()]).toEqual(['delivered', 1]);
    });
  });

  it('is limited per phone and day by the setting of the operator', async () => {
    server.answer = () => atTaken;
    const { ask, work, resultOf } = openProcess(providers.africastalking, effectStore, { perPhonePerDay: 2 });
    for (const key of ['a', 'b', 'c']) {
      await ask(key);
      pass(1000);
    }
    await work();
    const results = await Promise.all(['a', 'b', 'c'].map(resultOf));
    expect([results, sends()]).toEqual([['sent', 'sent', 'limited'], 2]);
    pass(24 * 3_600_000);
    await ask('d');
    await work();
    expect(await resultOf('d')).toBe('sent');
  });

  it('is a log line in the sandbox, with the number masked', async () => {
    const lines: string[] = [];
    const { createLogger } = await import('@mlango/service-kit/logging');
    const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
    const { ask, work, resultOf } = openProcess(logMessages(logger), effectStore);
    await ask('a');
    await work();
    expect(await resultOf('a')).toBe('sent');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'message logged, not sent to a phone',
      to: '+26097****567',
      words: 'Shop: 250 for +26097****567',
      segments: 1,
      message: 'a.message',
    });
  });
});
