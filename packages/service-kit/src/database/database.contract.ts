import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isConnectionError, isUniqueViolation } from '../errors/sql-errors.js';
import { countRuns, createNotes, migrationsFolder, notes, schema } from './migrations/migrations.fixture.js';
import { openDatabase } from './open-database.js';
import type { DatabaseConnection } from './sql-database.js';

export interface Place {
  readonly url?: string;
  readonly directUrl?: string;
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

export interface Traits {
  /** Whether written rows are visible to the next connection. */
  readonly isPersistent: boolean;
  /** Whether several connections may be open at once. */
  readonly shared: boolean;
}

/** The contract of `openDatabase`, for every driver. */
export function describeDatabase(name: string, traits: Traits, freshPlace: () => Promise<Place>): void {
  describe(name, () => {
    const cleanUps: (() => Promise<void>)[] = [];

    const place = async (): Promise<Place> => {
      const fresh = await freshPlace();
      cleanUps.push(() => fresh.remove());
      return fresh;
    };
    const open = async ({ remove: _remove, ...where }: Place, folder = migrationsFolder([createNotes, countRuns])) => {
      const logger = pino({ level: 'silent' });
      const connection = await openDatabase({ ...where, schema, migrationsFolder: folder, logger });
      cleanUps.push(() => connection.close());
      return connection;
    };

    let connection: DatabaseConnection<typeof schema>;
    beforeAll(async () => {
      connection = await open(await place());
    });
    beforeEach(async () => {
      await connection.db.delete(notes);
    });
    afterAll(async () => {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    });

    it('is migrated after opening', async () => {
      await connection.migrated;
      await connection.ping();
      expect(await connection.db.select().from(notes)).toEqual([]);
    });

    it('returns arrays, JSON and times as written', async () => {
      const row = {
        title: 'a',
        tags: ['x', 'y, "z"', ''],
        body: { text: 'hi' },
        writtenAt: new Date(1_700_000_000_123),
      };
      const [written] = await connection.db.insert(notes).values(row).returning();
      expect(written).toMatchObject(row);
      expect(await connection.db.query.notes.findFirst()).toEqual(written);
    });

    it('accepts values of every kind, in new, known and transactional statements', async () => {
      const values = {
        text: sql`${"it's \\ 1"}::text`,
        whole: sql`${7}::int + ${'8'}::int`,
        half: sql`${2.5}::float8`,
        long: sql`${9_007_199_254_740_993n}::bigint::text`,
        truth: sql`${true}::boolean`,
        nothing: sql`${null}::text`,
        bytes: sql`encode(${new Uint8Array([0, 255])}::bytea, 'hex')`,
        json: sql`${JSON.stringify({ a: ['x'] })}::jsonb -> 'a' ->> 0`,
        time: sql`extract(epoch from ${'2026-01-02T03:04:05.678Z'}::timestamptz)::float8`,
      };
      const read = (db: typeof connection.db) => db.select(values).from(sql`(values (1)) as one`);
      const expected = {
        text: "it's \\ 1",
        whole: 15,
        half: 2.5,
        long: '9007199254740993',
        truth: true,
        nothing: null,
        bytes: '00ff',
        json: 'x',
        time: 1_767_323_045.678,
      };
      for (let time = 0; time < 2; time++) expect(await read(connection.db)).toEqual([expected]);
      expect(await connection.db.transaction((tx) => read(tx))).toEqual([expected]);
    });

    it('rolls back a transaction that throws', async () => {
      const attempt = connection.db.transaction(async (tx) => {
        await tx.insert(notes).values({ title: 'half' });
        throw new Error('changed my mind');
      });
      await expect(attempt).rejects.toThrow('changed my mind');
      expect(await connection.db.select().from(notes)).toEqual([]);
    });

    it('identifies a unique violation by its constraint', async () => {
      await connection.db.insert(notes).values({ title: 'same' });
      const insert = connection.db.insert(notes).values({ title: 'same' });
      const error: unknown = await insert.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(isUniqueViolation(error)).toBe(true);
      expect(isUniqueViolation(error, 'notes_title_unique')).toBe(true);
      expect(isUniqueViolation(error, 'another_constraint')).toBe(false);
      expect(isConnectionError(error)).toBe(false);
    });

    it('refuses a folder without migrations, naming it', async () => {
      await expect(open(await place(), '/nowhere/drizzle')).rejects.toThrow('/nowhere/drizzle');
    });

    if (traits.isPersistent) {
      it('keeps its rows and runs only the new migrations when opened again with more of them', async () => {
        const stored = await place();
        const first = await open(stored, migrationsFolder([createNotes]));
        await first.db.insert(notes).values({ title: 'stored' });
        await first.close();
        const { db, close } = await open(stored);
        expect(await db.select({ title: notes.title }).from(notes)).toEqual([{ title: 'stored' }]);
        await close();
      });
    }

    if (traits.shared) {
      it('is migrated once if several processes open it at the same time', async () => {
        const common = await place();
        const connections = await Promise.all(Array.from({ length: 4 }, () => open(common)));
        await Promise.all(connections.map((each) => each.migrated));
        await Promise.all(connections.map((each) => each.ping()));
        expect(connections).toHaveLength(4);
      });
    }

    // Last, because the other cases share this connection.
    it('closes twice without an error and refuses a ping then', async () => {
      await connection.ping();
      await connection.close();
      await expect(connection.ping()).rejects.toThrow(/closed/);
      await connection.close();
    });
  });
}
