import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { isConnectionError } from '../../errors/sql-errors.js';
import { capturedLog } from '../captured-log.fixture.js';
import type { PostgresOptions } from '../database-options.js';
import { errorOf } from '../error-of.fixture.js';
import { createNotes, migrationsFolder, schema } from '../migrations/migrations.fixture.js';
import type { DatabaseConnection } from '../sql-database.js';
import { openPostgres } from './open-postgres.js';

const opened: DatabaseConnection<typeof schema>[] = [];
async function open(url: string, overrides: Partial<PostgresOptions<typeof schema>> = {}) {
  const log = capturedLog();
  const folder = migrationsFolder([createNotes]);
  const connection = await openPostgres({ url, schema, migrationsFolder: folder, logger: log.logger, ...overrides });
  opened.push(connection);
  return { connection, lines: log.lines };
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

describe('a connection to a server that is not Postgres', () => {
  async function listen(onSocket: (socket: import('node:net').Socket) => void) {
    const server = createServer(onSocket);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `postgres://user:secret@127.0.0.1:${port}/db`, close: () => server.close() };
  }

  it('fails without hanging when the peer accepts and closes', async () => {
    const { url, close } = await listen((socket) => socket.end());
    const { connection } = await open(url);
    expect(isConnectionError(await errorOf(connection.db.execute(sql`select 1`)))).toBe(true);
    expect(isConnectionError(await errorOf(connection.ping()))).toBe(true);
    close();
  });

  it('fails without hanging when the peer accepts and stays silent', async () => {
    const { url, close } = await listen((socket) => void socket.on('error', () => {}));
    const { connection } = await open(url, { limits: { connectTimeoutMs: 300 } });
    expect(isConnectionError(await errorOf(connection.db.execute(sql`select 1`)))).toBe(true);
    close();
  });
});
