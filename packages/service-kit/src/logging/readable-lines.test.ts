import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { linesOf } from './lines-of.fixture.js';

describe('texts for operators', () => {
  it.each([
    'request',
    '/sessions/:sessionId/messages',
    '3f2b8c1e-5a0d-4c6e-9b1a-426614174000',
    'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    'did:ixo:entity:0f3c8b7e0f3c8b7e0f3c8b7e0f3c8b7e',
    'bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'closing the embedded database failed: EIO, /data/ussd-gateway/pg_wal/archive_status/of-this-process',
    'file:///srv/node_modules/@fastify/rate-limit/lib/store-in-memory-of-this-process/index.js:12:7',
    'since 1732286000123 ms, at 2026-11-22T10:00:00.000Z',
    'GRPC_TARGETS must be a comma-separated list of host:port',
    'basic authentication is not what a token is',
    '[::1]:3000 and 2001:db8:1:2::7',
  ])('stay readable: %s', (text) => {
    const line = JSON.parse(linesOf((logger) => logger.info({ what: text, count: 5, tokens: 12 }, text)));
    expect(line).toMatchObject({ what: text, msg: text, count: 5, tokens: 12 });
  });

  it('keep the stack of an error', () => {
    const line = JSON.parse(linesOf((logger) => logger.error({ err: new Error('at last') })));
    expect(line.err.stack).toMatch(/^ +at .*readable-lines\.test\.ts:\d+:\d+/);
    expect(line.err.message).toBe('at last');
  });
});

describe('a line', () => {
  it('is bounded for any value', () => {
    const long = 'many words '.repeat(10_000);
    const wide = { items: Array.from({ length: 10_000 }, (_, index) => ({ [`name${index}`]: long })) };
    const cyclic: Record<string, unknown> = { long };
    cyclic['self'] = [cyclic, cyclic];
    for (const fields of [{ long }, wide, cyclic, { err: new Error(long, { cause: wide }) }]) {
      expect(linesOf((logger) => logger.info(fields, long)).length).toBeLessThan(60_000);
    }
  });

  it('contains no half of a secret after truncation', () => {
    const token = createHash('sha512').update('a').digest('base64url');
    for (let before = 4_000; before < 4_096; before += 1) {
      expect(linesOf((logger) => logger.info(`${'a '.repeat(before / 2)}${token}`))).not.toContain(token.slice(0, 8));
    }
  });

  it('is written for unreadable values', () => {
    const broken = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('S3CRET');
      },
    });
    const line = linesOf((logger) => logger.info({ broken, list: [broken], own: Object.create(null) }, 'so'));
    expect(JSON.parse(line)).toMatchObject({ broken: '[unreadable]', list: ['[unreadable]'], msg: 'so' });
  });
});
