import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClusterImage, unpackCluster } from './cluster-image.js';

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
  it('is of the Postgres that opens it, and has no tables of anybody', async () => {
    unpackCluster(image(), join(folder, 'postgres'));
    const client = new PGlite(join(folder, 'postgres'));
    const tables = await client.query(
      "select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.rows).toEqual([]);
    await client.exec('create table kept (id int); insert into kept values (7)');
    await client.close();
    const again = new PGlite(join(folder, 'postgres'));
    expect((await again.query('select id from kept')).rows).toEqual([{ id: 7 }]);
    await again.close();
  });

  it('opens for its owner alone', async () => {
    unpackCluster(image(), join(folder, 'postgres'));
    expect((await stat(join(folder, 'postgres'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'postgres/PG_VERSION'))).mode & 0o777).toBe(0o600);
  });

  it('is there whole or not at all', async () => {
    const place = join(folder, 'postgres');
    const cut = image().slice(0, 8 * 1024 * 1024);
    const broken = new Uint8Array(cut);
    broken.fill(255, 4 * 1024 * 1024);
    expect(() => unpackCluster(broken, place)).toThrow();
    expect(existsSync(place)).toBe(false);
    unpackCluster(image(), place);
    expect(await readdir(folder)).toEqual(['postgres']);
  });
});
