import { describe, expect, it } from 'vitest';
import { planOracle } from '../../oracle.js';
import { chain } from './plugin.js';

const env = { NODE_ENV: 'test' };
const isOn = (options: Omit<Parameters<typeof planOracle>[0], 'plugins'>) =>
  planOracle({ ...options, plugins: [chain] }).plugins.find(({ plugin }) => plugin.name === 'chain')?.isOn;

describe('the chain plugin', () => {
  const PROTO_GATEWAY_URL = 'http://127.0.0.1:3002';

  it('is on if the query gateway is configured, unless switched off', () => {
    expect(isOn({ env })).toBe(false);
    expect(isOn({ env: { ...env, PROTO_GATEWAY_URL } })).toBe(true);
    expect(isOn({ env: { ...env, PROTO_GATEWAY_URL }, features: { chain: false } })).toBe(false);
  });

  it('refuses to start if switched on without a gateway, or with an invalid address or key', () => {
    expect(() => isOn({ env, features: { chain: true } })).toThrow('PROTO_GATEWAY_URL: is required (plugin chain)');
    for (const url of ['gateway', 'file:///x', 'http://a:b@gateway', 'http://gateway/?x=1']) {
      expect(() => isOn({ env: { ...env, PROTO_GATEWAY_URL: url } }), url).toThrow(
        'PROTO_GATEWAY_URL: must be a URL starting with http:// or https://, without a user, a query or a fragment',
      );
    }
    expect(() => isOn({ env: { ...env, PROTO_GATEWAY_URL, PROTO_GATEWAY_API_KEY: 'short' } })).toThrow(
      'PROTO_GATEWAY_API_KEY: must be 16 to 256 characters',
    );
  });
});
