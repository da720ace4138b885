import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, expect, it } from 'vitest';
import { call, screens } from '../../../test/support/aggregator-calls.js';
import { openTestApp, subscriber } from '../../../test/support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

it('the canonical adapter names its fields exactly', async () => {
  app = await openTestApp();
  const { sessionId: SessionId, ...rest } = subscriber;
  const reply = await call(app, { url: '/api/ussd', json: { ...rest, SessionId, text: '' } });
  expect(reply).toMatchObject({ status: 200, text: `END ${screens.invalid}` });
});
