import { selfSigned } from '@mlango/test-services/self-signed';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readEnv } from './read-env.js';
import { databaseAddresses, databaseRule, databaseShape } from './stores-shape.js';

const read = (source: Record<string, string>) => readEnv(z.object(databaseShape), source, [databaseRule]);
const primary = 'postgres://u:p@primary:5432/mlango';
const replica = 'postgres://u:p@replica:5432/mlango';
const both = 'postgres://u:p@one:5432,other:5433/mlango';

describe('the addresses of a database', () => {
  it('may name several hosts, and never reveal their password', () => {
    expect(read({ DATABASE_URL: both }).DATABASE_URL).toBe(both);
    for (const wrong of [
      'postgres://u:hidden@one:5432,/x',
      'postgres://u:hidden@one:x,two/x',
      'mysql://u:hidden@one/x',
    ]) {
      expect(() => read({ DATABASE_URL: wrong })).toThrow(/DATABASE_URL: must be a URL starting with postgres:/);
      expect(() => read({ DATABASE_URL: wrong })).not.toThrow(/hidden/);
    }
  });

  it('may name a replica, with a lag of five seconds by default', () => {
    const addresses = { DATABASE_URL: primary, DATABASE_READ_URL: replica };
    expect(databaseAddresses(read(addresses)).replica).toEqual({ url: replica, maxLagMs: 5_000 });
    const late = read({ ...addresses, DATABASE_READ_MAX_LAG_SECONDS: '30' });
    expect(databaseAddresses(late).replica?.maxLagMs).toBe(30_000);
    expect(databaseAddresses(read({ DATABASE_URL: primary })).replica).toBeUndefined();
  });

  it('refuse a replica without a primary, one equal to the primary, and a lag of zero', () => {
    expect(() => read({ DATABASE_READ_URL: replica })).toThrow(/DATABASE_READ_URL: needs DATABASE_URL/);
    const same = { DATABASE_URL: primary, DATABASE_READ_URL: primary.replace('u:p', 'reader:q') };
    expect(() => read(same)).toThrow(/DATABASE_READ_URL: must name a replica/);
    const lag = { DATABASE_URL: primary, DATABASE_READ_MAX_LAG_SECONDS: '5' };
    expect(() => read(lag)).toThrow(/DATABASE_READ_MAX_LAG_SECONDS: needs DATABASE_READ_URL/);
    const none = { DATABASE_URL: primary, DATABASE_READ_URL: replica, DATABASE_READ_MAX_LAG_SECONDS: '0' };
    expect(() => read(none)).toThrow(/DATABASE_READ_MAX_LAG_SECONDS/);
  });

  it('may name the same hosts for both, in any roles', () => {
    expect(read({ DATABASE_URL: both, DATABASE_READ_URL: both }).DATABASE_READ_URL).toBe(both);
  });

  it('require the given authority, each of them', () => {
    const DATABASE_CA = selfSigned('ca').cert;
    const checked = `${primary}?sslmode=verify-full`;
    expect(databaseAddresses(read({ DATABASE_URL: checked, DATABASE_CA })).ca).toBe(DATABASE_CA);
    expect(() => read({ DATABASE_URL: primary, DATABASE_CA })).toThrow(/DATABASE_CA: is set, but DATABASE_URL/);
    expect(() => read({ DATABASE_CA })).toThrow(/DATABASE_CA/);
    const half = { DATABASE_URL: checked, DATABASE_READ_URL: `${replica}?sslmode=require`, DATABASE_CA };
    expect(() => read(half)).toThrow(/DATABASE_CA: is set, but DATABASE_READ_URL/);
    expect(() => read({ DATABASE_URL: checked, DATABASE_CA: 'none' })).toThrow(/DATABASE_CA: is no certificate/);
  });
});
