import { paymentRequired } from '@mlango/schemas/oracle-runs';
import { describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../test/app.fixture.js';
import { scriptedModel } from '../models/scripted-model.fixture.js';

describe('a message that requires payment', () => {
  it.each([true, false])('gets 402 with the claims under both names, before any event: stream %s', async (stream) => {
    const { model, requests } = scriptedModel(['never']);
    const demand = { message: 'Two claims are open', claims: ['c1', 'c2'] };
    const { app } = await testApp({ model, gate: { demandOf: async () => demand } });
    const headers = await headersOf('a');
    const sessionId = await newSession(app, headers);
    const payload = { message: 'hi', stream };
    const reply = await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      402,
      expect.stringContaining('application/json'),
    ]);
    expect(paymentRequired.strict().parse(reply.json())).toEqual({
      statusCode: 402,
      error: 'Payment Required',
      message: 'Two claims are open',
      claims: ['c1', 'c2'],
      outstandingClaims: ['c1', 'c2'],
    });
    expect(reply.headers['x-run-id']).toBeUndefined();
    expect((await app.inject({ url: `/messages/${sessionId}`, headers })).json()).toEqual({ messages: [] });
    expect(requests).toEqual([]);
    await app.close();
  });

  it('is checked per user, and refused if the payment check is unavailable', async () => {
    const asked: object[] = [];
    const { app } = await testApp({
      gate: {
        demandOf: async (send) => {
          asked.push(send);
          if (asked.length > 1) throw new Error('subscription service away');
          return undefined;
        },
      },
    });
    const headers = await headersOf('a');
    const sessionId = await newSession(app, headers);
    const send = () =>
      app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message: 'hi' } });
    expect((await send()).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(500);
    expect(asked[0]).toEqual({ ownerDid: expect.stringMatching(/^did:key:/), sessionId, runId: expect.any(String) });
    await app.close();
  });
});
