import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { planOracle } from '../../oracle.js';
import { calls } from './plugin.js';

const settings = { LIVEKIT_URL: 'ws://127.0.0.1:7880', LIVEKIT_API_KEY: 'devkey', LIVEKIT_API_SECRET: 'secret' };
const isOn = (env: Record<string, string>, features = {}) =>
  planOracle({ plugins: [calls], env: { NODE_ENV: 'test', ...env }, features }).plugins.find(
    ({ plugin }) => plugin.name === 'calls',
  )?.isOn;

it('is on if any of its variables is set, and then requires all three', () => {
  expect([isOn({}), isOn(settings), isOn(settings, { calls: false })]).toEqual([false, true, false]);
  for (const name of Object.keys(settings)) {
    expect(() => isOn({ ...settings, [name]: '' })).toThrow(`${name}: is required (plugin calls)`);
  }
  expect(() => isOn({}, { calls: true })).toThrow('LIVEKIT_URL: is required');
});

it.each([
  ['LIVEKIT_URL', 'livekit', 'must be a URL'],
  ['LIVEKIT_URL', 'ws://user:pass@127.0.0.1', 'must be a URL'],
  ['LIVEKIT_API_KEY', 'dev key', 'must be 1 to 128'],
  ['LIVEKIT_API_SECRET', 'short', 'must be 6 to 256'],
  ['LIVEKIT_AGENT_NAME', 'my agent', 'must be 1 to 64'],
  ['CALLS_AGENT_TOKEN', 'guessable', 'must be 32 to 256'],
  ['CALL_MAX_MINUTES', '0', 'must be a whole number from 1 to 1440'],
])('refuses to start with %s=%s', (name, value, problem) => {
  expect(() => isOn({ ...settings, [name]: value })).toThrow(`${name}: ${problem}`);
});

it('refuses a plaintext connection and a short secret in production', () => {
  const production = { ...settings, NODE_ENV: 'production' };
  expect(() => isOn(production)).toThrow('LIVEKIT_URL: must start with wss:// in production');
  expect(() => isOn(production)).toThrow('LIVEKIT_API_SECRET: must be at least 32 characters in production');
});

it.each([
  ['LIVEKIT_API_SECRET', 'secret'.repeat(8)],
  ['CALLS_AGENT_TOKEN', 'agent-of-calls-agent-of-calls-agent'],
])('accepts %s=%s in development, and not in production', (name, value) => {
  const strong = { LIVEKIT_URL: 'wss://calls.example', LIVEKIT_API_SECRET: randomBytes(32).toString('base64url') };
  expect(isOn({ ...settings, [name]: value })).toBe(true);
  expect(() => isOn({ ...settings, ...strong, NODE_ENV: 'production', [name]: value })).toThrow(
    new RegExp(`${name}: .*too weak for production.*\\(plugin calls\\)`),
  );
});
