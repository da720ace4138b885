import { describe, expect, it } from 'vitest';
import { describeRedis, parseRedisUrl } from './redis-url.js';

describe('parseRedisUrl', () => {
  it('reads every part', () => {
    expect(parseRedisUrl('rediss://me:p%40ss@cache.example:6380/3')).toEqual({
      host: 'cache.example',
      port: 6380,
      username: 'me',
      password: 'p@ss',
      db: 3,
      tls: { servername: 'cache.example' },
    });
  });

  it('fills in what is left out', () => {
    expect(parseRedisUrl('redis://[::1]')).toEqual({ host: '::1', port: 6379 });
  });

  it.each(['', 'localhost:6379', 'http://:hunter2@host', 'redis://:hunter2@host/name', 'redis://:hunter2@host:port'])(
    'refuses %j without repeating it',
    (url) => {
      expect(() => parseRedisUrl(url)).toThrow(/^the Redis URL is not of the form redis:\/\/user:password@host/);
    },
  );
});

it.each([
  ['rediss://me:hunter2@cache.example:6380/3', 'cache.example:6380/3'],
  ['redis://[::1]', '[::1]:6379/0'],
])('describeRedis says of %j where it is, and not who asks', (url, said) => {
  expect(describeRedis(parseRedisUrl(url))).toBe(said);
});
