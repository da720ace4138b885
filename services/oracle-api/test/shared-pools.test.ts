import { describe, expect, it } from 'vitest';
import { sharedPools } from '../src/shared-pools.js';
import { testApp } from './app.fixture.js';

/** All pools of the service. A new one is added to `sharedPools`, or opened by its plugin with `openPool`, and is listed here. */
const names = [
  'attachments_file_bytes',
  'attachments_pdf_threads',
  'attachments_upload_bytes',
  'exports',
  'history',
  'key_look_up_waits',
  'key_look_ups',
  'long_requests',
  'memory_searches',
  'model_calls',
  'searches',
  'service_dids',
  'slack_answers',
  'socket_connections',
  'sockets',
];

const slackSettings = { SLACK_API_URL: 'http://127.0.0.1:9', SLACK_BOT_TOKEN: 'x', SLACK_SIGNING_SECRET: 'y' };

describe('shared capacity', () => {
  it('has a share for each address that is less than the whole, in every pool', async () => {
    const { app, deps } = await testApp({ features: { slack: true }, settings: new Map([['slack', slackSettings]]) });
    expect(deps.poolList.map(({ name }) => name).sort()).toEqual(names);
    for (const pool of deps.poolList) {
      expect(pool.shareOf('address'), pool.name).toBeGreaterThan(0);
      expect(pool.shareOf('address'), pool.name).toBeLessThan(pool.total);
    }
    await app.close();
  });

  it('gives an address the model calls of as many users as its rate limit allows', () => {
    const http = { SOCKETS_PER_ADDRESS: 1_000, RATE_LIMIT_MAX: 100 };
    const settings = { models: { LLM_CALLS_PER_USER: 4 }, stores: { DATABASE_POOL_MAX: 10 } };
    const share = (perAddress?: number) =>
      sharedPools({ ...settings, http: { ...http, RATE_LIMIT_PER_ADDRESS: perAddress } }).modelCalls.shareOf('address');
    expect([share(), share(1_200), share(50)]).toEqual([40, 48, 4]);
  });
});
