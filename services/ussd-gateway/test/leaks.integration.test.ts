import { canStartPostgres, canStartRedis, startPostgres, startRedis } from '@mlango/test-services/servers';
import { startTraceCollector } from '@mlango/test-services/trace-collector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregatorIds } from '../src/aggregators/shipped.fixture.js';
import { aggregatorLines } from './support/aggregator-lines.js';
import { holdsSecret } from './support/secret-forms.js';
import { phoneOver } from './support/service-line.js';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';
import { everythingInPostgres, everythingInRedis, untilAcknowledged } from './support/stored-text.js';

const operatorToken = 'operator-token-0f3b9c71';
const metricsToken = 'metrics-token-88d1e2aa47';
const pinKey = 'c4'.repeat(32);
const secretOf = (id: string) => `aggregator-secret-of-${id}-5d1c`;
const phoneNumber = '+260971230567';

/** Five PINs for each aggregator, so that a leaked one identifies its source. */
const pinsOf = (id: string) => {
  const first = 20_731 + (aggregatorIds as readonly string[]).indexOf(id) * 6_007;
  const [pin = '', newPin = '', wrong = '', mistyped = '', late = ''] = [0, 1409, 2818, 4227, 5636].map((step) =>
    String(first + step),
  );
  return { pin, newPin, wrong, mistyped, late };
};

describe.skipIf(!canStartRedis || !canStartPostgres)('the input of a subscriber', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let collector: Awaited<ReturnType<typeof startTraceCollector>>;
  let service: ServiceProcess;
  /** All readable texts, each once. */
  const seen = new Set<string>();
  let code = '';

  beforeAll(async () => {
    [redis, postgres, collector] = await Promise.all([startRedis(), startPostgres(), startTraceCollector()]);
    service = await startService({
      LOG_LEVEL: 'trace',
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      PIN_ENCRYPTION_KEY: pinKey,
      ACCOUNTS_PER_PHONE_PER_DAY: '100',
      OPERATOR_TOKEN: operatorToken,
      METRICS_TOKEN: metricsToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...Object.fromEntries(aggregatorIds.map((id) => [`AGGREGATOR_${id.toUpperCase()}_SECRET`, secretOf(id)])),
    });
  });
  afterAll(async () => {
    await endServices();
    await Promise.all([redis.remove(), postgres.remove()]);
    collector.close();
  });

  const look = async (sessionId: string) => {
    const read = async (path: string, token: string) => {
      const reply = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${token}` } });
      // A length reveals nothing, and may be any number.
      const headers = [...reply.headers].filter(([name]) => name !== 'content-length');
      seen.add(`${headers.join()}\n${await reply.text()}`);
      return reply.status;
    };
    const statuses = await Promise.all([
      read(`/api/ussd/debug/${sessionId}`, operatorToken),
      read('/api/ussd/sessions', operatorToken),
      read('/api/ussd/analytics', operatorToken),
      read('/metrics', metricsToken),
    ]);
    expect(statuses).toEqual([200, 200, 200, 200]);
    for (const stored of await everythingInRedis(redis.url)) seen.add(stored);
  };

  it.each(aggregatorIds)(
    'over %s, an account is created, used and changed',
    async (id) => {
      const { pin, newPin, wrong, mistyped } = pinsOf(id);
      const phone = phoneOver(aggregatorLines[id], service.base, secretOf(id));
      const signUp = { sessionId: `sign-up-${id}`, phoneNumber };
      const signedUp = ['2', '2', 'Amina Otieno', '00', pin, mistyped, pin, pin];
      const created = await phone.play(signUp, signedUp, () => look(signUp.sessionId));
      const customerId = /C[0-9A-Z]{8}/.exec(created)?.[0] ?? '';
      await untilAcknowledged(postgres.url);
      const logIn = { sessionId: `log-in-${id}`, phoneNumber };
      const loggedIn = ['2', '1', customerId, wrong, pin, '2', pin, newPin, newPin];
      expect(await phone.play(logIn, loggedIn, () => look(logIn.sessionId))).toMatch(/^Your PIN is changed\./);
      await untilAcknowledged(postgres.url);
    },
    60_000,
  );

  it('a one-time code is returned to its requester, and typed with a new PIN', async () => {
    const { pin, late } = pinsOf('canonical');
    const phone = phoneOver(aggregatorLines.canonical, service.base, secretOf('canonical'));
    const signedUp = ['2', '2', 'Amina Otieno', '00', pin, pin];
    const created = await phone.play({ sessionId: 'forgetful', phoneNumber }, signedUp);
    const customerId = /C[0-9A-Z]{8}/.exec(created)?.[0] ?? '';
    await untilAcknowledged(postgres.url);
    const reply = await fetch(`${service.base}/api/ussd/customers/${customerId}/pin-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    ({ code } = (await reply.json()) as { code: string });
    expect(code).toMatch(/^[0-9]{8}$/);
    const reset = { sessionId: 'reset', phoneNumber };
    const typed = ['2', '1', customerId, code, late, late];
    expect(await phone.play(reset, typed, () => look(reset.sessionId))).toMatch(/^Your PIN is changed\./);
    await untilAcknowledged(postgres.url);
    const finds = { sessionId: 'finds', phoneNumber };
    expect(await phone.play(finds, ['2', '1', '00', late], () => look(finds.sessionId))).toContain(customerId);
  }, 60_000);

  it('malformed, refused and unauthorized requests are answered without it', async () => {
    const { late: pin } = pinsOf('canonical');
    const post = (path: string, type: string, body: string) =>
      fetch(`${service.base}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
    const replies = await Promise.all([
      post('/api/ussd', 'application/json', `{"text":"2*2*Amina*00*${pin}"`),
      post('/api/ussd', 'text/plain', `2*2*Amina*00*${pin}`),
      post('/api/ussd', 'application/json', JSON.stringify({ text: `2*1*C*${pin}`, pad: 'x'.repeat(5000) })),
      post('/api/ussd/africastalking', 'application/x-www-form-urlencoded', `text=2*2*${pin}&phoneNumber=1`),
      post(`/api/ussd/hubtel?secret=${secretOf('hubtel')}x`, 'application/json', JSON.stringify({ Message: pin })),
      fetch(`${service.base}/api/ussd/comviva?SessionID=s&MSISDN=260971230567&input=${pin}&secret=wrong`),
      fetch(`${service.base}/api/ussd/nowhere?input=${pin}&secret=${secretOf('comviva')}`),
      fetch(`${service.base}/api/ussd/sessions`, { headers: { authorization: `Bearer ${operatorToken}x` } }),
    ]);
    for (const reply of replies) seen.add(await reply.text());
  });

  it('a PIN during an outage of the database or of Redis is not in the messages about it', async () => {
    const { late: pin } = pinsOf('nalo');
    const phone = phoneOver(aggregatorLines.nalo, service.base, secretOf('nalo'));
    const caller = { sessionId: 'gone', phoneNumber };
    await postgres.kill();
    expect(await phone.play(caller, ['2', '2', 'Amina Otieno', '00', pin, pin])).toMatch(/unavailable/);
    await redis.kill();
    expect(await phone.play(caller, ['2', '1', 'C0000000A', pin])).toMatch(/unavailable/);
    await Promise.all([postgres.restart(), redis.restart()]);
  }, 60_000);

  it('is in no log, trace, stored value, dump or reply, in no form; nor is any secret of the service', async () => {
    for (const row of await everythingInPostgres(postgres.url)) seen.add(row);
    expect(await service.end('SIGTERM')).toBe(0);
    for (const line of service.output().split('\n')) seen.add(line);
    // The search covers the verbose output.
    expect(service.output()).toContain('"msg":"hop"');
    expect(service.output()).toMatch(/ECONNREFUSED|terminat/);
    expect(collector.received.join()).toContain('/api/ussd/comviva');
    for (const spans of collector.received) seen.add(spans);

    const everything = [...seen];
    expect(everything.join('\n')).toMatch(/C[0-9A-Z]{8}/);
    const pins = aggregatorIds.flatMap((id) => Object.values(pinsOf(id)));
    const passwords = [redis.url, postgres.url].map((url) => new URL(url).password);
    const secrets = [code, operatorToken, metricsToken, pinKey, ...aggregatorIds.map(secretOf), ...passwords];
    for (const secret of [...pins, ...secrets]) {
      expect({ secret, foundIn: everything.filter(holdsSecret(secret)) }).toEqual({ secret, foundIn: [] });
    }
    const logged = [service.output(), ...collector.received].join('\n');
    expect(logged).not.toContain(phoneNumber.slice(1));
    expect(logged).not.toContain('Amina');
  }, 60_000);
});
