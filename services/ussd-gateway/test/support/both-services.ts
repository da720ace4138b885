import { setTimeout as sleep } from 'node:timers/promises';
import { endPrograms, runBuilt, startBuilt } from '@mlango/test-services/program';
import { expect } from 'vitest';
import { unavailable } from './handset.js';
import { postHop } from './service-process.js';

const noLimits = { PORT: '0', DRAIN_DELAY_MS: '0', RATE_LIMIT_MAX: '1000000', RATE_LIMIT_PER_PHONE: '100000' };

export interface BothServices {
  readonly ussd: readonly string[];
  readonly oracle: readonly string[];
  /** A user of the oracle. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Built replicas of both services that store data. `dataDir` has the keys that they share. */
export async function startServices(
  replicas: number,
  dataDir: string,
  stores: Readonly<Record<string, string>>,
): Promise<BothServices> {
  const env = { ...noLimits, DATA_DIR: dataDir, ...stores };
  const making = runBuilt('services/oracle-api/dist/dev-token.js', env);
  expect(await making.exit, making.output()).toBe(0);
  const start = (service: string, more: Readonly<Record<string, string>>) =>
    Promise.all(
      Array.from({ length: replicas }, () => startBuilt(`services/${service}/dist/main.js`, { ...env, ...more })),
    );
  const [ussd, oracle] = await Promise.all([
    start('ussd-gateway', { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }),
    start('oracle-api', { LOCAL_MODEL_PACE_MS: '0' }),
  ]);
  const authorization = `Bearer ${making.output().trim()}`;
  return {
    ussd: ussd.map(({ address }) => address),
    oracle: oracle.map(({ address }) => address),
    headers: { authorization, 'x-auth-type': 'ucan', 'content-type': 'application/json' },
  };
}

export { endPrograms as endServices };

/** Allowed refusals while a back end cannot serve, with their counts. */
export interface Refusals {
  count: number;
  /** Number of messages answered again, because the answer could not be saved. */
  regenerated?: number;
}

const signUpSteps: readonly (readonly [string, RegExp])[] = [
  ['', /^CON Welcome/],
  ['2', /^CON /],
  ['2*2', /^CON .*name/is],
  ['2*2*Amina', /^CON .*mail/is],
  ['2*2*Amina*00', /^CON .*PIN/is],
  ['2*2*Amina*00*90210', /^CON .*PIN/is],
  ['2*2*Amina*00*90210*90210', /Customer ID: C[0-9A-Z]{8}/],
];

let phones = 0;

/**
 * Signs up by a new phone. Each hop gets its own screen, or is refused and retried; any other reply fails. Resolves
 * with the Customer ID.
 */
export async function signUpAt(bases: readonly string[], refusals: Refusals): Promise<string> {
  const phoneNumber = `+2547${String(phones++).padStart(8, '0')}`;
  const caller = { sessionId: `sign-up of ${phoneNumber}`, phoneNumber };
  let reply = '';
  let sent = 0;
  for (const [text, screen] of signUpSteps) {
    let typed = text;
    for (;;) {
      reply = await postHop(bases[sent++ % bases.length] ?? '', typed, caller);
      if (reply === unavailable) refusals.count += 1;
      else if (reply.startsWith('CON We are working on it.')) typed += '*1';
      else break;
    }
    expect(reply).toMatch(screen);
  }
  return /C[0-9A-Z]{8}/.exec(reply)?.[0] ?? '';
}

const hasFailed = /^(?:failed|interrupted)$/;

/**
 * Sends a question to the oracle in a new session. Each request is served, or refused with 503 and Retry-After and sent
 * again.
 */
export async function sendQuestion(
  { oracle, headers }: BothServices,
  question: string,
  refusals: Refusals,
): Promise<string> {
  let sent = 0;
  const call = async <Body>(path: string, body?: object): Promise<Body | 'accepted before'> => {
    for (let refused = 0; ; refused += 1) {
      const base = oracle[sent++ % oracle.length];
      const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const reply = await fetch(`${base}${path}`, { headers, ...how });
      const parsed = await reply.json();
      if (reply.ok) return parsed as Body;
      // A refused request may have been accepted: its id prevents a second question.
      if (refused > 0 && reply.status === 409) return 'accepted before';
      expect([reply.status, reply.headers.has('retry-after')], JSON.stringify(parsed)).toEqual([503, true]);
      refusals.count += 1;
    }
  };
  const opened = await call<{ sessionId: string }>('/sessions', {});
  if (opened === 'accepted before') throw new Error('a session cannot be accepted twice');
  const path = `/messages/${opened.sessionId}`;
  type Answer = { message: { content: string } };
  const answered = await call<Answer>(path, { message: question, requestId: 'sent-once' });
  if (answered !== 'accepted before') return answered.message.content;
  for (let attempt = 1; ; attempt += 1) {
    const went = await call<{ run: { status: string } | null }>(`/sessions/${opened.sessionId}/run`);
    const stored = await call<{ messages: readonly { id: string; type: string; content: string }[] }>(path);
    const messages = stored === 'accepted before' ? [] : stored.messages;
    const answer = messages.find(({ type, content }) => type === 'ai' && content !== '');
    if (answer !== undefined) return answer.content;
    // An answer that could not be started or saved is reported as failed, and requested again.
    const [first] = messages;
    if (first !== undefined && went !== 'accepted before' && hasFailed.test(went.run?.status ?? '')) {
      refusals.regenerated = (refusals.regenerated ?? 0) + 1;
      const anew = await call<Answer>(`/sessions/${opened.sessionId}/messages/${first.id}/regenerate`, {
        requestId: `again-${attempt}`,
      });
      if (anew !== 'accepted before') return anew.message.content;
    }
    await sleep(50);
  }
}

/** Whether all replicas and their back ends report that they are healthy. */
export async function areWell({ ussd, oracle }: BothServices): Promise<boolean> {
  const routes = [...ussd.map((base) => `${base}/health`), ...oracle.map((base) => `${base}/health/ready`)];
  const replies = await Promise.all(routes.map((route) => fetch(route)));
  return replies.every(({ status }) => status === 200);
}
