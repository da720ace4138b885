import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Logger, linesOf } from './lines-of.fixture.js';

const runs = { numRuns: 400 };
const bytes = fc.nat().map((seed) => createHash('sha512').update(`secret ${seed}`).digest());
const hex = bytes.map((all) => all.toString('hex', 0, 12));
/** Prose, without anything that a rule might take for a part of a secret. */
const words = fc.array(
  fc.constantFrom('the', 'Call', 'of', 'node-1', 'GET', '/sessions/:id', 'failed', '→', 'ab.c', '(x)'),
  {
    maxLength: 4,
  },
);
const within = (secret: fc.Arbitrary<string>) =>
  fc.tuple(words, secret, words).map(([before, text, after]) => [...before, text, ...after].join(' '));

const ends = ['token', 'secret', 'password', 'pin', 'apiKey', 'authorization', 'cookie', 'invocation', 'delegation'];
const moreEnds = ['mnemonic', 'seed', 'passphrase', 'credentials', 'tokens', 'signing_key', 'jwt', 'otp', 'seal-keys'];
const name = fc
  .tuple(
    fc.constantFrom('', 'x-', 'user', 'ORACLE_', 'ucan', 'set-', 'matrixAccess', '$', 'old.'),
    fc.constantFrom(...ends, ...moreEnds),
    fc.constantFrom('as it is', 'lower', 'upper', 'capital'),
  )
  .map(([start, end, form]) => {
    if (form === 'lower') return `${start}${end}`.toLowerCase();
    if (form === 'upper') return `${start}${end}`.toUpperCase();
    return form === 'capital' ? `${start}${end.charAt(0).toUpperCase()}${end.slice(1)}` : `${start}${end}`;
  });

/** Puts something into lists, fields, errors and objects that make their own JSON, up to nine of them deep. */
const shells: fc.Arbitrary<(inner: unknown) => unknown> = fc
  .array(
    fc.tuple(
      fc.constantFrom('list', 'fields', 'error', 'json', 'pair'),
      fc.constantFrom(...([1, true, null, undefined, 'plain', 'a: b', '2026-11-22T10:00:00Z'] as unknown[])),
    ),
    { maxLength: 9 },
  )
  .map((all) => (leaf) => all.reduce<unknown>((inner, [shell, sibling]) => shellOf(shell, inner, sibling), leaf));

function shellOf(shell: string, inner: unknown, sibling: unknown): unknown {
  if (shell === 'list') return [sibling, inner, sibling];
  if (shell === 'error') return { cause: new Error('outer', { cause: inner }), sibling };
  if (shell === 'json') return { toJSON: () => ({ sibling, inner }) };
  return shell === 'pair' ? ['name', inner] : { sibling, nested: inner };
}

/** A text in each source of log texts. */
const positions: Readonly<Record<string, (logger: Logger, text: string) => void>> = {
  message: (logger, text) => logger.info(text),
  'message next to fields': (logger, text) => logger.info({ a: 1 }, text),
  'value in a message': (logger, text) => logger.info('so: %s', text),
  'object in a message': (logger, text) => logger.info({ a: 1 }, 'so: %o', { list: [{ text1: text }] }),
  'JSON in a message': (logger, text) => logger.info('so: %j', { list: [{ text1: text }] }),
  'superfluous value': (logger, text) => logger.info('so', ...([text, [text]] as never[])),
  field: (logger, text) => logger.info({ what: text }, 'so'),
  'name of a field': (logger, text) => logger.info({ [text]: 1 }, 'so'),
  'field of a child': (logger, text) => logger.child({ what: [text] }).info('so'),
  'field of a grandchild': (logger, text) =>
    logger
      .child({ a: 1 })
      .child({ what: { text1: text } })
      .info('so'),
  error: (logger, text) => logger.error(new Error(text)),
  'error next to a message': (logger, text) => logger.error({ err: new Error(text) }, 'so'),
  'error under another name': (logger, text) => logger.error({ failure: new Error(text) }, 'so'),
  'cause of a cause': (logger, text) =>
    logger.error({ err: new Error('a', { cause: new Error('b', { cause: text }) }) }, 'so'),
  'name of an error': (logger, text) => logger.error({ err: Object.assign(new Error('a'), { name: text }) }),
  'code of an error': (logger, text) => logger.error({ err: Object.assign(new Error('a'), { code: text }) }),
  'message line like a stack frame': (logger, text) => logger.error({ err: new Error(`a\n    at ${text}`) }, 'so'),
  'custom stack': (logger, text) =>
    logger.error({ err: Object.assign(new Error('a'), { stack: `Error: a\n    at ${text} (x.js:1:1)` }) }),
};

describe('a secret under a name of one', () => {
  it('is in no line, for any case, separator and prefix of the name, at any depth and in arrays', () => {
    fc.assert(
      fc.property(name, hex, fc.constantFrom('text', 'list', 'fields', 'number'), shells, (key, secret, form, wrap) => {
        const number = Number.parseInt(secret.slice(0, 8), 16);
        const value = { text: secret, list: [secret], fields: { any: { at: secret } }, number }[form];
        const planted = wrap({ before: 1, [key]: value });
        const line = linesOf((logger) => logger.info({ planted }, 'so'));
        expect(line).not.toContain(secret);
        // A count is no secret.
        if (form === 'number' && !key.toLowerCase().endsWith('s')) expect(line).not.toContain(String(number));
      }),
      runs,
    );
  });

  it('is in no line as a header value after its name, nor as bytes', () => {
    const line = linesOf((logger) =>
      logger.info({
        rawHeaders: ['Host', 'x', 'X-Aggregator-Secret', 'S3CRET'],
        entries: [['authorization', 'S3CRET']],
        bytes: Buffer.from('S3CRET'),
        array: new Uint8Array([83, 51, 67]),
      }),
    );
    expect(line).not.toMatch(/S3CRET|83,|5333/);
    expect(line).toContain('[6 bytes]');
  });

  it.each(Object.entries(positions))('is in no line as part of a text: %s', (_place, write) => {
    const joint = fc.constantFrom('=', ': ', ':', ' = ', "='", '="', '%3D');
    const text = within(
      fc
        .tuple(fc.constantFrom('', '?', '&', '{"a":1,"', 'https://x.example/y?z=1&', 'auth['), name, joint, hex)
        .map(([start, key, between, secret]) => `${start}${key.replace(/^[$]/, '')}${between}${secret}`),
    );
    fc.assert(
      fc.property(text, (all) => {
        const secret = /[0-9a-f]{24}/.exec(all)?.[0] ?? '';
        expect(linesOf((logger) => write(logger, all))).not.toContain(secret);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a secret with a recognisable form', () => {
  const random = bytes.chain((all) =>
    fc
      .tuple(fc.integer({ min: 32, max: 64 }), fc.constantFrom('base64' as const, 'base64url' as const))
      .map(([length, form]) => all.subarray(0, length).toString(form)),
  );
  const jwt = bytes.map(
    (all) => `eyJhbGciOiJFZERTQSJ9.${all.toString('base64url', 0, 20)}.${all.toString('base64url', 20)}`,
  );
  const bearer = fc
    .tuple(fc.constantFrom('Bearer ', 'bearer ', 'BEARER  ', 'authorization: Bearer ', 'Bearer%20'), hex)
    .map(([scheme, secret]) => `${scheme}${secret}`);
  const user = hex.map((secret) => `postgres://app:${secret}/@${secret}@db:5432/app`);
  const branded = hex.map((secret) => `xoxb-${secret}`);
  const basic = hex.map((secret) => `Basic ${Buffer.from(`u:${secret}`).toString('base64')}`);
  const cookie = hex.map((secret) => `Cookie: a=b; session=${secret}; c=d`);

  it.each(Object.entries(positions))('is in no line: %s', (_place, write) => {
    const kinds = fc.oneof(random, jwt, bearer, user, branded, basic, cookie);
    const text = fc.tuple(words, kinds, words);
    fc.assert(
      fc.property(text, ([before, secret, after]) => {
        const line = linesOf((logger) => write(logger, [...before, secret, ...after].join(' ')));
        const core = /[0-9a-f]{24}|[\w+/-]{28,}/.exec(secret.replace(/^eyJ\w+\./, ''))?.[0] ?? '';
        expect(core).not.toBe('');
        expect(line).not.toContain(core);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['skx', 'eyJ'])('is in no line if it begins with %s by chance', (beginning) => {
    const secret = `${beginning}caP9K1FrG0lF7Ktmg3ssRdknD4fYimLrZIX56PiW+vfkY9MGLQ5YGw==`;
    expect(linesOf((logger) => logger.info(`so ${secret} it is`))).toContain('"so [redacted] it is"');
  });

  it('is in no field, at any depth and in arrays', () => {
    fc.assert(
      fc.property(fc.oneof(random, jwt, bearer), shells, (secret, wrap) => {
        const planted = wrap(`so ${secret}`);
        expect(linesOf((logger) => logger.info({ planted }, 'so'))).not.toContain(secret.slice(-16));
      }),
      runs,
    );
  });
});

describe('a phone number', () => {
  const e164 = fc.stringMatching(/^[1-9]\d{9,14}$/).filter((digits) => !/^1(\d{9}|\d{12})$/.test(digits));

  it('is in no line whole, with a plus or bare, in texts and under its field names', () => {
    fc.assert(
      fc.property(
        e164,
        fc.constantFrom(...Object.values(positions)),
        fc.constantFrom('+', ''),
        (digits, write, plus) => {
          expect(linesOf((logger) => write(logger, `call ${plus}${digits}, please`))).not.toContain(digits);
        },
      ),
      runs,
    );
    const nested = { callers: [{ phoneNumber: '+260971234567', MSISDN: 260971234567, 'caller-phone': '0971234567' }] };
    const line = linesOf((logger) => logger.info(nested));
    expect(line).not.toMatch(/1234/);
    expect(line).toContain('+26097****567');
  });

  it('is hidden in groups and in queries', () => {
    for (const text of ['+260 97 123 4567', '+1 (555) 123-4567', '?to=%2B260971234567', 'pin 90210', 'PIN is 90210']) {
      expect(linesOf((logger) => logger.info(text))).not.toMatch(/123.?4567|90210/);
    }
  });
});
