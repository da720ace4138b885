import { describe, expect, it } from 'vitest';
import { readConfig } from './config.js';

describe('the configuration of the playground', () => {
  it('needs no variable with npm start', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3003,
      HANDSET: true,
      USSD_GATEWAY_URL: 'http://127.0.0.1:3000',
      ORACLE_URL: 'http://127.0.0.1:3001',
      PROTO_GATEWAY_URL: 'http://127.0.0.1:3002',
    });
  });

  it('has no handset in production by default', () => {
    expect(readConfig({ NODE_ENV: 'production' }).HANDSET).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', HANDSET: 'true' }).HANDSET).toBe(true);
  });

  it.each([
    ['ORACLE_URL', 'ws://127.0.0.1'],
    ['ORACLE_DID', 'oracle'],
    ['SERVICE_CODE', '384'],
    ['AGGREGATOR_CANONICAL_SECRET', 'short'],
  ])('refuses %s=%s by name', (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(variable);
  });
});
