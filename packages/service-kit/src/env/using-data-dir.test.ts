import { describe, expect, it } from 'vitest';
import { usingDataDir } from './data-dir.js';

/** The embedded database also rejects with values that are no Error; a signal throws its reason, of any type. */
const failing = (error: unknown) =>
  usingDataDir(
    '/data/oracle',
    Promise.resolve().then(() => AbortSignal.abort(error).throwIfAborted()),
  );
const systemError = (code: string, path?: string) => Object.assign(new Error(`${code}: …`), { code, path });

describe('usingDataDir', () => {
  it.each([
    ['in the folder', systemError('EACCES', '/data/oracle/postgres.lock')],
    ['at the folder', systemError('EACCES', '/data/oracle')],
    ['at a folder above it', systemError('EACCES', '/data')],
    ['in the folder, as a cause', new Error('no database', { cause: systemError('EACCES', '/data/oracle/x') })],
  ])('names the variable, the folder and the reason for a failure %s', async (_, cause) => {
    const message = 'DATA_DIR (/data/oracle) cannot be used: this user may not (EACCES)';
    await expect(failing(cause)).rejects.toMatchObject({ message, code: 'EACCES', cause });
  });

  it('reports a file in place of the folder', async () => {
    const message = 'DATA_DIR (/data/oracle) cannot be used: something else is there already (EEXIST)';
    await expect(failing(systemError('EEXIST', '/data/oracle'))).rejects.toMatchObject({ message });
  });

  it.each([systemError('ENOSPC'), { name: 'ErrnoError', errno: 51 }])(
    'attributes a full disk to the data folder: %o',
    async (cause) => {
      const message = 'DATA_DIR (/data/oracle) cannot be used: no space is left on the disk (ENOSPC)';
      await expect(failing(cause)).rejects.toMatchObject({ message, cause });
    },
  );

  it.each([
    systemError('EACCES', '/data/oracle-other/x'),
    systemError('ECONNREFUSED'),
    new Error('something else'),
    'a text',
  ])('passes on errors that do not concern the folder: %o', async (error) => {
    await expect(failing(error)).rejects.toBe(error);
  });
});
