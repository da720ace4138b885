import { canStartPostgres, startPostgres } from '@mlango/test-services/servers';
import { afterEach, describe, expect, it } from 'vitest';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';

afterEach(endServices);

const healthy = { status: 200, body: { status: 'ok', database: 'connected' } };
const sick = { status: 503, body: { status: 'error', database: 'disconnected' } };
const becomes = async (service: ServiceProcess, state: object) => {
  await expect.poll(() => service.get('/health'), { timeout: 20_000, interval: 100 }).toMatchObject(state);
};

describe.skipIf(!canStartPostgres)('without Postgres', () => {
  it('menus are served and /health reports it, from the start and after a crash, until it is back', async () => {
    const postgres = await startPostgres();
    try {
      await postgres.stop();
      const service = await startService({ DATABASE_URL: postgres.url });
      expect(await service.get('/health')).toMatchObject(sick);
      expect(await service.hop('')).toMatch(/^CON Welcome/);
      await postgres.restart();
      await becomes(service, healthy);
      await postgres.kill();
      await becomes(service, sick);
      expect(await service.hop('1')).toMatch(/^CON Information/);
      expect(await service.get('/')).toMatchObject({ status: 200 });
      await postgres.restart();
      await becomes(service, healthy);
      expect(await service.hop('1*2')).toMatch(/free/);
      expect(await service.end('SIGTERM')).toBe(0);
    } finally {
      await postgres.remove();
    }
  }, 90_000);
});
