import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createTestOracle } from '../src/create-test-oracle.js';
import { createOracleApp } from '../src/oracle.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';

describe('createOracleApp', () => {
  it('creates an oracle that listens, answers, lists its plugins and closes, idempotently', async () => {
    const oracle = await createTestOracle({ config: { name: 'Jua' }, features: { memory: false } });
    const base = await oracle.listen({ host: '127.0.0.1', port: 0 });
    expect((await fetch(`${base}/health`)).status).toBe(200);
    const user = await oracle.newUser();
    expect(await user.say('who are you?')).toContain('I am Jua');
    expect(oracle.plugins.status()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'user-preferences',
          feature: true,
          status: 'on',
          tools: ['set_user_preferences'],
          needs: ['preferences:write'],
          hasTables: false,
          routes: ['GET /user-preferences', 'PUT /user-preferences'],
        }),
        expect.objectContaining({ name: 'memory', feature: false, status: 'off', reason: 'switched off' }),
      ]),
    );
    await oracle.close();
    await oracle.close();
    await expect(fetch(`${base}/health`)).rejects.toThrow('fetch failed');
  });

  it('prefers the name of the environment over that of the code', async () => {
    const oracle = await createTestOracle({ config: { name: 'Jua' }, env: { ORACLE_NAME: 'Mwezi' } });
    expect(oracle.oracle.name).toBe('Mwezi');
    await oracle.close();
  });

  it('refuses to start with all problems of the environment at once, before anything is opened', async () => {
    const needy = testPlugin('needy', { configSchema: z.object({ NEEDY_KEY: z.string() }) });
    await expect(createOracleApp({ config: { name: 'Jua' }, plugins: [needy], env: { PORT: 'x' } })).rejects.toThrow(
      /PORT: [\s\S]*NEEDY_KEY: is required \(plugin needy\)/,
    );
  });

  it('closes everything after a plugin start has failed', async () => {
    const close = vi.fn<() => void>();
    const sound = testPlugin('sound', { close });
    const broken = testPlugin('broken', {
      getRoutes: () => {
        throw new Error('no key');
      },
    });
    await expect(createTestOracle({ plugins: [sound, broken] })).rejects.toThrow('plugin "broken" cannot be started');
    expect(close).toHaveBeenCalledTimes(1);
  });
});
