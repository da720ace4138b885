import { makeAuthority } from '@mlango/test-services/authority';
import { canStartPostgres, freePort, type RealServer, startPostgres } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturedLog } from '../captured-log.fixture.js';
import { createNotes, migrationsFolder, schema } from '../migrations/migrations.fixture.js';
import { openPostgres } from './open-postgres.js';

const authority = makeAuthority();

describe.skipIf(!canStartPostgres)('a Postgres with TLS', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startPostgres({ tls: authority.issue('127.0.0.1') });
  });
  afterAll(() => server.remove());

  /** The outcome of one ping, and the lines that it logs. */
  async function look(url: string, ca?: string): Promise<{ readonly outcome: unknown; readonly log: string }> {
    const { logger, lines } = capturedLog();
    const connection = await openPostgres({
      url,
      ca,
      schema,
      logger,
      migrationsFolder: migrationsFolder([createNotes]),
    });
    const outcome = await connection.ping().then(
      () => 'answers',
      (error: unknown) => error,
    );
    await connection.close();
    return { outcome, log: lines.join('') };
  }
  const checked = (url: string) => `${url}?sslmode=verify-full`;

  it('is accepted by its authority and its name, also as an address, and among several', async () => {
    const { outcome, log } = await look(checked(server.url), authority.cert);
    expect(outcome).toBe('answers');
    expect(log).toContain('"tls":true');
    const several = checked(server.url.replace('@', `@127.0.0.1:${await freePort()},`));
    expect((await look(several, authority.cert)).outcome).toBe('answers');
  });

  it.each([
    ['of another authority', (url: string) => url, makeAuthority().cert],
    ['of an authority unknown to Node.js', (url: string) => url, undefined],
    ['of another name', (url: string) => url.replace('127.0.0.1', 'localhost'), authority.cert],
  ])('%s is refused', async (_what, address, ca) => {
    const { outcome, log } = await look(checked(address(server.url)), ca);
    expect(outcome).toBeInstanceOf(Error);
    expect(log).toMatch(/SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT_ALTNAME_INVALID|certificate/i);
  });
});
