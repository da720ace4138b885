import { describe, expect, it } from 'vitest';
import { describeError, serializeError } from './serialize-error.js';

const full = Object.assign(new Error("ENOSPC: no space left on device, open '/data/x'"), {
  code: 'ENOSPC',
  errno: -28,
  syscall: 'open',
  path: '/data/x',
});

describe('serializeError', () => {
  it('keeps the fields of the operating system', () => {
    expect(serializeError(full)).toMatchObject({ type: 'Error', code: 'ENOSPC', errno: -28, syscall: 'open' });
  });

  it.each([
    ['an object of the embedded database', { name: 'ErrnoError', errno: 51 }, { code: 'ENOSPC', errno: 51 }],
    [
      'an object that looks like an error',
      { name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 },
      { type: 'ExitStatus', message: 'Program terminated with exit(1)' },
    ],
    ['a class of its own', new (class Refusal {})(), { type: 'Refusal', message: '' }],
    ['an object without a prototype', Object.create(null), { type: 'object', message: '' }],
    ['a text', 'it broke', { type: 'string', message: 'it broke' }],
    ['nothing', undefined, { type: 'undefined', message: 'undefined' }],
  ])('describes %s as far as possible', (_, thrown, expected) => {
    expect(serializeError(thrown)).toMatchObject(expected);
  });

  it.each([
    'connect to postgres://app:S3CRET@db:5432/app',
    'connect to postgres://app:S3/CR@ET@db:5432/app',
    'host=db password=S3CRET user=app',
    'GET /x?token=S3CRET&y=1',
    'Failed query: select $1\nparams: S3CRET',
  ])('hides the secret in %j, thrown as an error, as an object and as a text', (message) => {
    for (const thrown of [new Error(message), { message, detail: 'S3CRET' }, message]) {
      expect(JSON.stringify(serializeError(thrown))).not.toMatch(/S3|CRET/);
    }
  });
});

describe('describeError', () => {
  it('gives the messages of a failure and its causes in one line, each once', () => {
    const cause = new Error('opening\n  the store', { cause: full });
    expect(describeError(new Error('no start', { cause }))).toBe(
      "no start: opening the store: ENOSPC: no space left on device, open '/data/x'",
    );
    expect(describeError({ name: 'ErrnoError', errno: 51 })).toBe('ErrnoError (ENOSPC)');
  });
});
