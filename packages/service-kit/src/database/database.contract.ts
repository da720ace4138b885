import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countRuns, createNotes, migrationsFolder, notes, schema } from './migrations.fixture.js';
import { openDatabase } from './open-database.js';
import type { DatabaseConnection } from './sql-database.js';
import { isConnectionError, isUniqueViolation } from './sql-errors.js';

export interface Place {
  readonly url?: string;
  readonly directUrl?: string;
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

export interface Traits {
  /** Whether what was written is still there for the next connection. */
  readonly keeps: boolean;
  /** Whether several connections may be open at once. */
  readonly shared: boolean;
}

/** What `openDatabase` promises, whatever is behind it. */
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

    it('is migrated once it is open', async () => {
      await connection.migrated;
      await connection.ping();
      expect(await connection.db.select().from(notes)).toEqual([]);
    });

    it('gives back arrays, JSON and times as they were written', async () => {
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

    it('undoes a transaction that throws', async () => {
      const attempt = connection.db.transaction(async (tx) => {
        await tx.insert(notes).values({ title: 'half' });
        throw new Error('changed my mind');
      });
      await expect(attempt).rejects.toThrow('changed my mind');
      expect(await connection.db.select().from(notes)).toEqual([]);
    });

    it('tells a unique violation by its constraint', async () => {
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

    it('refuses a folder without migrations by name', async () => {
      await expect(open(await place(), '/nowhere/drizzle')).rejects.toThrow('/nowhere/drizzle');
    });

    if (traits.keeps) {
      it('keeps its rows and runs only the new migrations when opened again with more of them', async () => {
        const kept = await place();
        const first = await open(kept, migrationsFolder([createNotes]));
        await first.db.insert(notes).values({ title: 'kept' });
        await first.close();
        const { db, close } = await open(kept);
        expect(await db.select({ title: notes.title }).from(notes)).toEqual([{ title: 'kept' }]);
        await close();
      });
    }

    if (traits.shared) {
      it('is migrated once by several that open at the same time', async () => {
        const common = await place();
        const connections = await Promise.all(Array.from({ length: 4 }, () => open(common)));
        await Promise.all(connections.map((each) => each.migrated));
        await Promise.all(connections.map((each) => each.ping()));
        expect(connections).toHaveLength(4);
      });
    }

    // Last, since the others share this connection.
    it('closes twice without complaint and refuses a ping then', async () => {
      await connection.ping();
      await connection.close();
      await expect(connection.ping()).rejects.toThrow(/closed/);
      await connection.close();
    });
  });
}
