import { selfSigned } from '@mlango/test-services/self-signed';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { embeddedStoresRule, mostPerAddress, perAddressShape, processShape, storesShape } from './process-shape.js';
import { EnvError, readEnv } from './read-env.js';
import { databaseRule, redisCaRule } from './stores-shape.js';

const schema = z.object({ ...processShape({ port: 3000, rateLimitMax: 100 }), ...storesShape('a-service') });
const read = (source: Record<string, string>) =>
  readEnv(schema, source, [embeddedStoresRule, databaseRule, redisCaRule]);

describe('the configuration of a process', () => {
  it('is usable without any variable, on loopback', () => {
    expect(read({})).toMatchObject({ HOST: '127.0.0.1', PORT: 3000, RATE_LIMIT_MAX: 100, DATA_DIR: '.data/a-service' });
  });

  it('refuses embedded stores in production, naming both variables', () => {
    const attempt = () => read({ NODE_ENV: 'production' });
    expect(attempt).toThrow(EnvError);
    expect(attempt).toThrow(/DATABASE_URL[\s\S]*REDIS_URL/);
  });

  it('accepts embedded stores in production if configured', () => {
    expect(read({ NODE_ENV: 'production', ALLOW_EMBEDDED: 'true' }).ALLOW_EMBEDDED).toBe(true);
  });

  it('accepts only database and key-value URLs of their own kind', () => {
    expect(() => read({ DATABASE_URL: 'mysql://x/y', REDIS_URL: 'http://x' })).toThrow(/DATABASE_URL[\s\S]*REDIS_URL/);
  });

  it('accepts a certificate authority only for a Redis with TLS, and hides the password of an invalid address', () => {
    const ca = selfSigned('redis').cert;
    expect(read({ REDIS_URL: 'rediss+cluster://one,two', REDIS_CA: ca }).REDIS_CA).toBe(ca);
    for (const REDIS_URL of ['redis://one', '']) {
      expect(() => read({ REDIS_URL, REDIS_CA: ca })).toThrow(
        /REDIS_CA: is set, but REDIS_URL names no Redis with TLS/,
      );
    }
    expect(() => read({ REDIS_URL: 'rediss://one', REDIS_CA: 'none' })).toThrow(/REDIS_CA: is no certificate/);
    const wrong = () => read({ REDIS_URL: 'redis+sentinel://:hunter2@one,two' });
    expect(wrong).toThrow(/REDIS_URL: redis\+sentinel:\/\/ needs the name of a master/);
    expect(wrong).not.toThrow(/hunter2/);
  });

  it('holds at most ten database connections by default', () => {
    expect(read({}).DATABASE_POOL_MAX).toBe(10);
    expect(read({ DATABASE_POOL_MAX: '3' }).DATABASE_POOL_MAX).toBe(3);
    expect(() => read({ DATABASE_POOL_MAX: '0' })).toThrow(/DATABASE_POOL_MAX/);
  });

  it('allows an address ten times the requests of a caller by default', () => {
    const service = z.object({ ...processShape({ port: 3000, rateLimitMax: 100 }), ...perAddressShape });
    const most = (source: Record<string, string>) => mostPerAddress(readEnv(service, source, []));
    expect([most({}), most({ RATE_LIMIT_MAX: '7' }), most({ RATE_LIMIT_PER_ADDRESS: '300' })]).toEqual([1000, 70, 300]);
    expect(() => most({ RATE_LIMIT_PER_ADDRESS: '0' })).toThrow(/RATE_LIMIT_PER_ADDRESS/);
  });

  it('accepts limits above the rate of a busy indexer, and no wider ones', () => {
    const service = z.object({ ...processShape({ port: 3000, rateLimitMax: 100 }), ...perAddressShape });
    const limits = (each: string) => readEnv(service, { RATE_LIMIT_MAX: each, RATE_LIMIT_PER_ADDRESS: each }, []);
    expect(limits('1000000000')).toMatchObject({ RATE_LIMIT_MAX: 1e9, RATE_LIMIT_PER_ADDRESS: 1e9 });
    expect(() => limits('1000000001')).toThrow(/RATE_LIMIT_MAX[\s\S]*RATE_LIMIT_PER_ADDRESS/);
  });

  it("accepts a direct address only with a pooler's address, and only a different one", () => {
    const [pooler, direct] = ['postgres://u:p@pooler:6432/db', 'postgres://u:p@db:5432/db'];
    expect(read({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct }).DATABASE_DIRECT_URL).toBe(direct);
    expect(() => read({ DATABASE_DIRECT_URL: direct })).toThrow(/DATABASE_DIRECT_URL: needs DATABASE_URL/);
    expect(() => read({ DATABASE_URL: direct, DATABASE_DIRECT_URL: direct })).toThrow(/must name the server behind/);
  });
});
