import { connect, createServer, type Server, type Socket } from 'node:net';
import { canStartPostgres, type PostgresPair, startPostgresPair } from '@mlango/test-services/servers';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../../metrics/metrics.js';
import { capturedLog } from '../captured-log.fixture.js';
import { databaseMetrics } from '../database-metrics.js';
import { createNotes, migrationsFolder, notes, schema } from '../migrations/migrations.fixture.js';
import type { DatabaseConnection } from '../sql-database.js';
import { openPostgres } from './open-postgres.js';

const SOON = { timeout: 15_000, interval: 20 };

describe.skipIf(!canStartPostgres)('a database with a replica', () => {
  let pair: PostgresPair;
  let standby: postgres.Sql;
  let relay: Relay;
  let connection: DatabaseConnection<typeof schema> | undefined;
  const { logger, lines } = capturedLog();
  beforeAll(async () => {
    pair = await startPostgresPair();
    standby = postgres(pair.standby.url, { max: 1, onnotice: () => {} });
    relay = await startRelay(Number(new URL(pair.standby.url).port));
  });
  afterEach(() => connection?.close());
  afterAll(async () => {
    await standby.end({ timeout: 1 });
    relay.close();
    await pair.remove();
  });

  /** Connects to the replica through the relay. */
  async function open(url = viaRelay(), maxLagMs = 2_000) {
    const opened = await openPostgres({
      url: pair.primary.url,
      replica: { url, maxLagMs },
      schema,
      migrationsFolder: migrationsFolder([createNotes]),
      logger,
    });
    connection = opened;
    await opened.migrated;
    const add = (title: string) => opened.db.insert(notes).values({ title });
    const titles = async () =>
      (await opened.stale.select({ title: notes.title }).from(notes)).map(({ title }) => title);
    const isRead = (wanted: boolean) => vi.waitFor(() => expect(opened.replica?.isRead).toBe(wanted), SOON);
    return { ...opened, add, titles, isRead };
  }
  const viaRelay = () => Object.assign(new URL(pair.standby.url), { port: String(relay.port) }).href;
  const stored = async (db: DatabaseConnection<typeof schema>['db']) =>
    (await db.select({ title: notes.title }).from(notes)).map(({ title }) => title);

  it('uses it for stale reads only', async () => {
    const { db, add, titles, isRead, replica } = await open();
    await add('shown');
    await pair.replicated();
    await isRead(true);
    await standby`select pg_wal_replay_pause()`;
    await add('not shown yet');
    expect(await stored(db)).toEqual(['shown', 'not shown yet']);
    expect(await titles()).toEqual(['shown']);
    expect(replica?.reads.replica).toBe(1);
    // Slightly above the limit.
    await isRead(false);
    expect(await titles()).toEqual(['shown', 'not shown yet']);
    expect(replica?.lagMs).toBeGreaterThan(2_000);
    await vi.waitFor(() => expect(lines.at(-1)).toContain('is too far behind'), SOON);
    await standby`select pg_wal_replay_resume()`;
    await isRead(true);
    expect(await titles()).toEqual(['shown', 'not shown yet']);
    await vi.waitFor(() => expect(lines.at(-1)).toContain('Postgres replica is used'), SOON);
  });

  it('counts reads of the primary and of the replica in its metrics', async () => {
    const { titles, isRead, ...database } = await open();
    await isRead(true);
    const metrics = createMetrics({ service: 'notes', version: '1.0.0' });
    databaseMetrics(metrics, database);
    await titles();
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^database_replica_read\{.*\} 1$/m);
    expect(text).toMatch(/^database_replica_lag_seconds\{.*\} \d/m);
    expect(text).toMatch(/^database_stale_reads_total\{.*server="replica".*\} 1$/m);
  });

  it('repeats a read on the primary when the replica disconnects or hangs', async () => {
    const { db, titles, isRead } = await open();
    await isRead(true);
    relay.hold(true);
    expect(await titles()).toEqual(await stored(db));
    await isRead(false);
    relay.hold(false);
    await isRead(true);
    relay.refuse(true);
    expect(await titles()).toEqual(await stored(db));
    await isRead(false);
    relay.refuse(false);
    await isRead(true);
  });

  it('reads from the primary if the address leads to none of its replicas', async () => {
    const { titles } = await open(pair.primary.url.replace('127.0.0.1', 'localhost'));
    await vi.waitFor(async () => {
      await titles();
      expect(lines.at(-1)).toContain('is no replica: it takes writes itself');
    }, SOON);
  });

  it('repeats a statement on the primary after a failure specific to the replica', async () => {
    const { stale, isRead, replica } = await open();
    await isRead(true);
    const before = { ...replica?.reads };
    // A standby locks no row.
    const locked = stale.select({ id: notes.id }).from(notes).for('update');
    expect(await locked).toHaveLength(2);
    expect(replica?.reads).toEqual({ ...before, primary: (before.primary ?? 0) + 1 });
  });
});

interface Relay {
  readonly port: number;
  /** Keeps connections open and forwards nothing. */
  readonly hold: (on: boolean) => void;
  /** Ends connections, including new ones. */
  readonly refuse: (on: boolean) => void;
  readonly close: () => void;
}

function startRelay(target: number): Promise<Relay> {
  const open = new Set<Socket>();
  let isHeld = false;
  let isClosed = false;
  const server: Server = createServer((near) => {
    if (isClosed) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('data', (bytes) => isHeld || other.write(bytes));
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      resolve({
        port: address.port,
        hold: (on) => {
          isHeld = on;
          // Bytes lost meanwhile cannot be restored.
          if (!on) end();
        },
        refuse: (on) => {
          isClosed = on;
          end();
        },
        close: () => {
          end();
          server.close();
        },
      });
    });
  });
}
