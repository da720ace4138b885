import { describe, expect, it } from 'vitest';
import { describeRedis, parseRedisUrl } from './redis-url.js';

describe('parseRedisUrl', () => {
  it('reads every part', () => {
    expect(parseRedisUrl('rediss://me:p%40ss@cache.example:6380/3')).toEqual({
      kind: 'single',
      addresses: [{ host: 'cache.example', port: 6380 }],
      username: 'me',
      password: 'p@ss',
      db: 3,
      isTls: true,
    });
  });

  it('fills in defaults', () => {
    expect(parseRedisUrl('redis://[::1]')).toEqual({
      kind: 'single',
      addresses: [{ host: '::1', port: 6379 }],
      isTls: false,
    });
  });

  it('reads the nodes of a cluster', () => {
    expect(parseRedisUrl('rediss+cluster://:secret@one.example:7000,[::1],10.0.0.3:7002')).toEqual({
      kind: 'cluster',
      addresses: [
        { host: 'one.example', port: 7000 },
        { host: '::1', port: 6379 },
        { host: '10.0.0.3', port: 7002 },
      ],
      password: 'secret',
      isTls: true,
    });
  });

  it('reads sentinels, their master name, and their own credentials', () => {
    expect(parseRedisUrl('redis+sentinel://me:secret@s1,s2:26380/my%2Fmaster/2?sentinel_password=a%26b')).toEqual({
      kind: 'sentinel',
      addresses: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
      ],
      username: 'me',
      password: 'secret',
      db: 2,
      isTls: false,
      sentinel: { master: 'my/master', password: 'a&b' },
    });
  });

  it.each([
    '',
    'localhost:6379',
    'http://:hunter2@host',
    'redis://:hunter2@host/name',
    'redis://:hunter2@host:port',
    'redis://:hunter%zz@host',
    'redis+ring://:hunter2@host',
  ])('refuses %j without repeating it', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(/^the Redis URL is not of the form redis:\/\/user:password@host/);
  });

  it.each([
    ['redis://:hunter2@one,two', 'several hosts are a cluster or sentinels'],
    ['redis+cluster://:hunter2@one,two/1', 'a cluster has one database'],
    ['redis+sentinel://:hunter2@one,two', 'needs the name of a master'],
    ['redis+sentinel://:hunter2@one/m?ca=hunter2', 'no parameters but'],
    ['redis://:hunter2@one?sentinel_password=hunter2', 'no parameters but'],
  ])('reports the problem of %j', (url, problem) => {
    expect(() => parseRedisUrl(url)).toThrow(problem);
    expect(() => parseRedisUrl(url)).not.toThrow(/hunter2/);
  });
});

it.each([
  ['rediss://me:hunter2@cache.example:6380/3', 'cache.example:6380/3'],
  ['redis://[::1]', '[::1]:6379/0'],
  ['redis+cluster://:hunter2@one:1,[::1]:2', 'one:1,[::1]:2'],
  ['redis+sentinel://:hunter2@one,two/mine/2?sentinel_password=hunter2', 'one:26379,two:26379/mine/2'],
])('describeRedis returns the address of %j, without the credentials', (url, written) => {
  expect(describeRedis(parseRedisUrl(url))).toBe(written);
});
