import { randomBytes } from 'node:crypto';
import { ussdFixedReplies } from '@mlango/schemas/ussd';
import { fillExamples, type HttpApp, type SandboxValues } from '@mlango/service-kit/http-app';
import { type DescribedApi, filledInRequests } from '@mlango/test-services/filled-in-requests';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestApp } from './support/test-app.js';

const operatorToken = 'operator-0123456789';
/** Examples with another status, and the reason. */
const otherwise: Readonly<Record<string, number>> = {
  // There is no webhook of an aggregator that opens sessions.
  'POST /api/ussd/pushes': 400,
};

let app: HttpApp | undefined;
afterEach(() => app?.close());

const documentOf = async (of: HttpApp) => (await of.inject('/docs/json')).json<DescribedApi>();

describe('the examples of the description', () => {
  it('succeed when they are tried, including those of operators', async () => {
    app = await openTestApp({ env: { OPERATOR_TOKEN: operatorToken } });
    const tried = (await app.inject({ method: 'POST', url: '/docs/try-as' })).json<SandboxValues>();
    const requests = filledInRequests(fillExamples(await documentOf(app), tried));
    expect(requests.length).toBeGreaterThan(20);
    const wrong: unknown[] = [];
    for (const { operation, method, url, headers, body, missing, declares } of requests) {
      const authorization = `Bearer ${tried.locks['operator']}`;
      const payload = body === undefined ? {} : { payload: body };
      const reply = await app.inject({ method, url, headers: { authorization, ...headers }, ...payload });
      const { statusCode } = reply;
      const isExpected = operation in otherwise ? statusCode === otherwise[operation] : statusCode < 300;
      const isTaken = !reply.body.includes(ussdFixedReplies.invalidInput.slice('END '.length));
      if (isExpected && isTaken && declares(statusCode) && missing.length === 0) continue;
      wrong.push({ operation, statusCode, body: reply.body, missing });
    }
    expect(wrong).toEqual([]);
    expect(JSON.stringify(tried)).not.toContain(operatorToken);
  });

  it('have no test subscriber in production, and operator routes open only with the token', async () => {
    const PIN_ENCRYPTION_KEY = randomBytes(32).toString('hex');
    const OPERATOR_TOKEN = randomBytes(24).toString('hex');
    const env = { NODE_ENV: 'production', ALLOW_EMBEDDED: 'true', PIN_ENCRYPTION_KEY, OPERATOR_TOKEN };
    app = await openTestApp({ env: { ...env, OPERATOR_ROUTES: 'true' } });
    expect((await app.inject({ method: 'POST', url: '/docs/try-as' })).statusCode).toBe(404);
    expect((await app.inject('/docs/')).body).not.toContain('try-as');
    const shown = (authorization: string) => app?.inject({ url: '/api/ussd/sessions', headers: { authorization } });
    for (const token of ['undefined', 'null', '']) expect((await shown(`Bearer ${token}`))?.statusCode).toBe(401);
    expect((await shown(`Bearer ${OPERATOR_TOKEN}`))?.statusCode).toBe(200);
  });
});
