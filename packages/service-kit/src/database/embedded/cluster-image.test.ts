import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClusterImage, unpackCluster } from './embedded-files.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mlango-test-image-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function image(): Uint8Array<ArrayBuffer> {
  const tar = readClusterImage();
  if (tar === undefined) throw new Error('build service-kit first: its last step makes the image');
  return tar;
}

describe('the image of an empty cluster', () => {
  it('is unpacked whole or not at all, is readable for its owner only, and is an empty cluster of this Postgres', async () => {
    const place = join(folder, 'postgres');
    const tar = image();
    const broken = tar.slice(0, 8 * 1024 * 1024);
    broken.fill(255, 4 * 1024 * 1024);
    expect(() => unpackCluster(broken, place)).toThrow();
    expect(existsSync(place)).toBe(false);

    unpackCluster(tar, place);
    expect(await readdir(folder)).toEqual(['postgres']);
    expect((await stat(place)).mode & 0o777).toBe(0o700);
    expect((await stat(join(place, 'PG_VERSION'))).mode & 0o777).toBe(0o600);

    const client = new PGlite(place);
    const tables = await client.query(
      "select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.rows).toEqual([]);
    await client.exec('create table kept (id int); insert into kept values (7)');
    await client.close();
    const repeated = new PGlite(place);
    expect((await repeated.query('select id from kept')).rows).toEqual([{ id: 7 }]);
    await repeated.close();
  });
});
