import { EnvError } from '@mlango/service-kit/env';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';

const key = 'ab'.repeat(32);
const strongKey = '6b1f0d3c9e42a8577f10cd94e6b32a58d1490ef7863b5ca22e9d71f4a06c83b5';
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db/ussd',
  REDIS_URL: 'redis://kv',
  PIN_ENCRYPTION_KEY: strongKey,
  OPERATOR_TOKEN: 'tQ7xk2VfZb9RnJ4sLw8cYpE3hGmA6uDi',
};
const problemsOf = (source: Record<string, string>): string[] => {
  try {
    readConfig(source);
    return [];
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return error.problems.map(({ variable }) => variable);
  }
};

describe('the configuration', () => {
  it('has a default for every variable in development', () => {
    expect(readConfig({})).toMatchObject({
      http: {
        NODE_ENV: 'development',
        PORT: 3000,
        RATE_LIMIT_MAX: 100,
        RATE_LIMIT_PER_PHONE: 60,
        OPERATOR_ROUTES: true,
      },
      flows: { APP_NAME: 'Mlango', SERVICE_CODE_LEVELS: 2 },
      sessions: { SESSION_TTL_SECONDS: 180, HOP_DEADLINE_MS: 5000, USSD_TEXT_MODE: 'auto' },
      stores: { DATA_DIR: '.data/ussd-gateway' },
    });
  });

  it('is complete in production with stores, a PIN key and an operator token', () => {
    expect(problemsOf(production)).toEqual([]);
  });

  it.each(Object.keys(production).slice(1))('of production does not start without %s', (variable) => {
    expect(problemsOf({ ...production, [variable]: '' })).toEqual([variable]);
  });

  it('of production starts without an operator token if the operator routes are off', () => {
    expect(problemsOf({ ...production, OPERATOR_TOKEN: '', OPERATOR_ROUTES: 'off' })).toEqual([]);
  });

  it.each([key, key.toUpperCase(), Buffer.alloc(32, 7).toString('base64'), 'thirty-two characters of a key!!'])(
    'accepts a PIN key in each of its forms',
    (PIN_ENCRYPTION_KEY) => expect(problemsOf({ PIN_ENCRYPTION_KEY })).toEqual([]),
  );

  it.each(['00'.repeat(32), 'short', key.slice(1), `${key}0`, Buffer.alloc(32).toString('base64')])(
    'refuses the PIN key %j',
    (PIN_ENCRYPTION_KEY) => expect(problemsOf({ PIN_ENCRYPTION_KEY })).toEqual(['PIN_ENCRYPTION_KEY']),
  );

  it.each([
    ['PIN_ENCRYPTION_KEY', 'thirty-two characters of a key!!', 'is a passphrase'],
    ['PIN_ENCRYPTION_KEY', key, 'is one block repeated'],
    ['PIN_ENCRYPTION_KEYS_OLD', `${strongKey.toUpperCase().replace('6', '7')},${key}`, 'key 2 is one block repeated'],
    ['OPERATOR_TOKEN', 'a-token-of-an-operator', 'has fewer than 16 different bytes'],
    ['AGGREGATOR_HUBTEL_SECRET', 'x'.repeat(40), 'is one block repeated'],
  ])('accepts %s=%s in development, and not in production', (variable, value, reason) => {
    expect(problemsOf({ [variable]: value })).toEqual([]);
    expect(() => readConfig({ ...production, [variable]: value })).toThrow(`${variable}: ${reason}`);
  });

  it('never repeats a refused key', () => {
    expect(() => readConfig({ PIN_ENCRYPTION_KEY: 'hunter2-hunter2' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
    expect(() => readConfig({ ...production, OPERATOR_TOKEN: 'hunter2-hunter2-' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('refuses an earlier key that is malformed or the current one', () => {
    expect(problemsOf({ PIN_ENCRYPTION_KEY: key, PIN_ENCRYPTION_KEYS_OLD: 'x' })).toEqual(['PIN_ENCRYPTION_KEYS_OLD']);
    expect(problemsOf({ PIN_ENCRYPTION_KEY: key, PIN_ENCRYPTION_KEYS_OLD: key })).toEqual(['PIN_ENCRYPTION_KEYS_OLD']);
    expect(problemsOf({ PIN_ENCRYPTION_KEY: key, PIN_ENCRYPTION_KEYS_OLD: 'cd'.repeat(32) })).toEqual([]);
  });

  it('refuses a code with more groups of digits than callers may send', () => {
    expect(() => readConfig({ SERVICE_CODES: '*384#,*384*1*2#' })).toThrow(
      'SERVICE_CODES: *384*1*2# has 3 groups of digits, of which SERVICE_CODE_LEVELS allows 2',
    );
    expect(problemsOf({ SERVICE_CODES: '*384*1*2#', SERVICE_CODE_LEVELS: '3' })).toEqual([]);
  });

  it('refuses a name that is too long or breaks lines, and limits of zero', () => {
    expect(problemsOf({ APP_NAME: 'x'.repeat(41) })).toEqual(['APP_NAME']);
    expect(problemsOf({ APP_NAME: 'a\nb' })).toEqual(['APP_NAME']);
    expect(problemsOf({ SESSION_TTL_SECONDS: '0', HOP_DEADLINE_MS: '0', RATE_LIMIT_MAX: '0' })).toHaveLength(3);
  });
});

describe('MESSAGES', () => {
  it.each([
    ['{provider: africastalking, username: x}', 'MESSAGES: apiKey: is missing: add the key'],
    [
      '{provider: infobip, url: "https://x.example", apiKey: null, from: x}',
      'MESSAGES: apiKey: is missing: add the key',
    ],
    ['{provider: africastalking, apiKey: 0123456789abcdefg}', 'MESSAGES: username: is missing'],
    ['{provider: log, perday: 5}', 'MESSAGES: perday: is no setting; check how it is written'],
    ['{username: x}', 'MESSAGES: provider must be one of log, webhook, africastalking, infobip'],
  ])('with %s is refused with the field and the reason', (MESSAGES, problem) => {
    expect(() => readConfig({ NODE_ENV: 'test', MESSAGES })).toThrow(problem);
  });
});
