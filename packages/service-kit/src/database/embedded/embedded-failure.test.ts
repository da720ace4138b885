import { describe, expect, it } from 'vitest';
import { embeddedFailure } from './embedded-files.js';

const place = '/data/oracle/postgres';

describe('embeddedFailure', () => {
  it.each([
    ['an object with a number of the embedded system', { name: 'ErrnoError', errno: 51 }],
    ['a statement for which the disk had no room', Object.assign(new Error('could not write'), { code: '53100' })],
    ['that as a cause', new Error('Failed query', { cause: Object.assign(new Error('x'), { code: '53100' }) })],
  ])('names the place and the reason of %s', (_, cause) => {
    const message = `the embedded database in ${place} cannot be opened: no space is left on the disk (ENOSPC)`;
    expect(embeddedFailure(place, cause)).toMatchObject({ message, code: 'ENOSPC', path: place, cause });
  });

  it.each([
    [{ name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 }],
    [new Error('PGlite failed to initialize properly')],
  ])('adds the path to an error without a reason', (cause) => {
    const message = `the embedded database in ${place} cannot be opened`;
    expect(embeddedFailure(place, cause)).toMatchObject({ message, path: place, cause });
  });

  it('leaves every other error unchanged', () => {
    const error = new Error('migration 0001_runs failed');
    expect(embeddedFailure(place, error)).toBe(error);
  });
});
