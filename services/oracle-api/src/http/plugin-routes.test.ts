import { callerOf } from '@mlango/ucan-auth/fastify';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { headersOf, type TestOptions, testApp } from '../../test/app.fixture.js';
import { testPlugin } from '../plugins/api/plugin.fixture.js';
import type { PluginRoutes } from '../plugins/api/plugin.js';

const get =
  (path: string): PluginRoutes =>
  (app) => {
    app.get(path, { schema: { response: { 200: z.object({ caller: z.string() }) } } }, async (request) => ({
      caller: request.caller === null ? 'nobody' : callerOf(request).did,
    }));
  };
const withRoutes = (paths: string[], more: TestOptions = {}, open: string[] = []) =>
  testApp({
    ...more,
    plugins: [testPlugin('weather', { getRoutes: () => paths.map(get), getAuthExcludedRoutes: () => open })],
  });

describe('routes of plugins', () => {
  it('have a caller, and answer 401 without one', async () => {
    const { app } = await withRoutes(['/mine']);
    expect((await app.inject({ url: '/mine' })).json()).toMatchObject({ statusCode: 401 });
    const reply = await app.inject({ url: '/mine', headers: await headersOf('a') });
    expect(reply.json()).toEqual({ caller: expect.stringMatching(/^did:key:/) });
    await app.close();
  });

  it('are public if the plugin or the oracle declares it, and then auth headers are ignored', async () => {
    const { app, deps } = await withRoutes(['/open', '/also/:city', '/mine'], { authExcludedRoutes: ['/also/*'] }, [
      '/open',
    ]);
    const look = vi.spyOn(deps.auth, 'request');
    for (const url of ['/open', '/also/dar']) {
      const reply = await app.inject({ url, headers: { authorization: 'Bearer nonsense', 'x-auth-type': 'ucan' } });
      expect(reply.json(), url).toEqual({ caller: 'nobody' });
    }
    expect(look).not.toHaveBeenCalled();
    expect((await app.inject({ url: '/mine' })).statusCode).toBe(401);
    await app.close();
  });

  it('are described under the name of the plugin, with the common error replies', async () => {
    const { app, deps } = await withRoutes(['/open', '/mine'], {}, ['/open']);
    const { paths } = (await app.inject({ url: '/docs/json' })).json();
    expect(paths['/mine'].get).toMatchObject({ tags: ['weather'], security: expect.any(Array) });
    expect(Object.keys(paths['/mine'].get.responses)).toEqual(['200', '401', '429', '500', '503']);
    expect(paths['/open'].get.security).toBeUndefined();
    expect(Object.keys(paths['/open'].get.responses)).not.toContain('401');
    expect(deps.plugins.status().find(({ name }) => name === 'weather')?.routes).toEqual(['GET /open', 'GET /mine']);
    await app.close();
  });

  it('do not expose the cause of a failure', async () => {
    const failing = testPlugin('failing', {
      getRoutes: () => [
        (app) => {
          app.get('/fails', () => {
            throw new Error('postgres://secret');
          });
        },
      ],
      getAuthExcludedRoutes: () => ['/fails'],
    });
    const { app } = await testApp({ plugins: [failing] });
    const reply = await app.inject({ url: '/fails' });
    expect([reply.statusCode, reply.body.includes('secret')]).toEqual([500, false]);
    await app.close();
  });

  it('have hooks that affect no other routes', async () => {
    const hooked = testPlugin('hooked', {
      getRoutes: () => [
        (app) => {
          app.addHook('onRequest', async () => {
            throw new Error('broken');
          });
        },
      ],
    });
    const { app } = await testApp({ plugins: [hooked, testPlugin('weather', { getRoutes: () => [get('/mine')] })] });
    const headers = await headersOf('a');
    for (const url of ['/health', '/mine', '/sessions']) {
      expect((await app.inject({ url, headers })).statusCode, url).toBe(200);
    }
    await app.close();
  });

  it('that exist already or are invalid fail the start, naming the plugin', async () => {
    await expect(withRoutes(['/sessions'])).rejects.toThrow(/plugin "weather": .*\/sessions/);
    const broken = testPlugin('broken', {
      getRoutes: () => [
        () => {
          throw new Error('no idea');
        },
      ],
    });
    await expect(testApp({ plugins: [broken] })).rejects.toThrow('plugin "broken": no idea');
  });

  it('of the oracle that are about their caller cannot be made public', async () => {
    await expect(testApp({ authExcludedRoutes: ['/sessions'] })).rejects.toThrow(/authExcludedRoutes: \w+ \/sessions/);
    await expect(testApp({ authExcludedRoutes: ['/*'] })).rejects.toThrow('stays protected');
  });
});
