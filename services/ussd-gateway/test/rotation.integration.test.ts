import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterEach, describe, expect, it } from 'vitest';
import { logsIn, signUp } from './support/customers.js';
import { endServices, startService } from './support/service-process.js';

afterEach(endServices);

const run = promisify(execFile);
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
// docs/operations/rotation.md, "The key of PINs".
describe.skipIf(postgresUrl === undefined || redisUrl === undefined)('rotating the key of PINs', () => {
  it('works replica by replica, and every customer can log in at every replica at every step', async () => {
    const [database, redis] = [await freshDatabase(), await freshRedis()];
    const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url };
    const [earlier, next] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const known = { ...stores, PIN_ENCRYPTION_KEY: earlier, PIN_ENCRYPTION_KEYS_OLD: next };
    const turned = { ...stores, PIN_ENCRYPTION_KEY: next, PIN_ENCRYPTION_KEYS_OLD: earlier };
    try {
      const before = await startService({ ...stores, PIN_ENCRYPTION_KEY: earlier });
      const amina = await signUp(before, 'Amina');
      const first = await startService(known);
      await logsIn(before, amina);
      await logsIn(first, amina);
      await before.end('SIGTERM');

      const second = await startService(turned);
      const baraka = await signUp(second, 'Baraka');
      const chausiku = await signUp(first, 'Chausiku');
      for (const service of [first, second]) for (const id of [amina, baraka, chausiku]) await logsIn(service, id);
      await first.end('SIGTERM');

      const resealing = () =>
        run(process.execPath, [cli, 'reseal-pins'], { env: { PATH: process.env['PATH'], ...turned } });
      // A PIN is sealed again when its customer logs in; the command seals the rest.
      expect((await resealing()).stdout).toMatch(/^\d of 3 PINs sealed again, 0 could not be opened\n$/);
      expect((await resealing()).stdout).toBe('0 of 3 PINs sealed again, 0 could not be opened\n');

      const last = await startService({ ...stores, PIN_ENCRYPTION_KEY: next });
      for (const id of [amina, baraka, chausiku]) await logsIn(last, id);
    } finally {
      await endServices();
      await redis.drop();
      await database.drop();
    }
  }, 90_000);
});
