import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { onDatabases } from '../plugins/api/on-databases.fixture.js';
import { tables } from '../plugins/memory/tables.js';
import type { OracleDatabase } from './database.js';
import { TableSizes } from './storage-limits.js';

onDatabases(tables, (name, _own, db) => {
  describe(`sizes of tables in ${name}`, () => {
    const log = { warn: () => undefined };
    let nowMs = 0;
    const sizesOf = (ceilingBytes: number) =>
      new TableSizes({ db: db() as unknown as OracleDatabase, ceilingBytes, nowMs: () => nowMs, log });
    const size = async (sizes: TableSizes, table: string) => (await sizes.read()).find((one) => one.table === table);

    it('include large values, and a table at its limit is full until it shrinks', async () => {
      // In a reused database the files of empty tables have a size.
      await db().execute(sql`truncate sessions cascade`);
      await db().execute(sql`create table growing (content text not null)`);
      const sizes = sizesOf(200_000);
      const before = await size(sizes, 'growing');
      expect(before?.bytes).toBeLessThan(50_000);
      expect([sizes.isFull('growing'), sizes.isFull('messages')]).toEqual([false, false]);
      await db().execute(sql`insert into growing select string_agg(md5((n * 1000 + m)::text), '')
        from generate_series(1, 10) n, generate_series(1, 1000) m group by n`);
      await db().execute(sql`analyze growing`);
      const after = await size(sizes, 'growing');
      expect(after?.rows).toBe(10);
      expect(after?.bytes).toBeGreaterThan(200_000);
      expect([sizes.isFull('growing'), sizes.isFull('sessions')]).toEqual([true, false]);
      await db().execute(sql`truncate growing`);
      await sizes.read();
      expect(sizes.isFull('growing')).toBe(false);
      await db().execute(sql`drop table growing`);
    });

    it('are read again after 30 seconds, once for concurrent requests', async () => {
      const sizes = sizesOf(1);
      const read = vi.spyOn(sizes, 'read');
      expect(sizes.isFull('messages')).toBe(false);
      await read.mock.results[0]?.value;
      for (nowMs = 0; nowMs <= 30_000; nowMs += 10_000) expect(sizes.isFull('messages')).toBe(true);
      expect(read).toHaveBeenCalledTimes(1);
      sizes.isFull('messages');
      expect(read).toHaveBeenCalledTimes(2);
      await sizes.read();
    });
  });
});
