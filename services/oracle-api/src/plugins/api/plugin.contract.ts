import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, newSession, type TestOptions, testApp } from '../../../test/app.fixture.js';
import type { TestStores } from '../../../test/stores.fixture.js';
import { openGate } from '../../agent/admission.js';
import { scriptedModel } from '../../models/scripted-model.fixture.js';
import { isNamed } from '../host/plugin-routes.js';
import { oracleWith, testTool } from './oracle-with.fixture.js';
import { testPlugin } from './plugin.fixture.js';
import type { OraclePlugin } from './plugin.js';

const boom = (): never => {
  throw new Error('broken');
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The guarantees of every plugin in this repository.
 * @param openStores opens the stores of all plugins once: a database takes seconds to start.
 */
export function bundledPluginContract(
  plugin: OraclePlugin,
  openStores: () => Promise<TestStores>,
  options: TestOptions,
): void {
  const { name } = plugin;

  describe(`the plugin ${name}`, () => {
    let on: Awaited<ReturnType<typeof testApp>>;
    let off: Awaited<ReturnType<typeof testApp>>;
    beforeAll(async () => {
      const stores = await openStores();
      on = await testApp({ ...options, stores, features: { [name]: true } });
      off = await testApp({ ...options, stores, model: scriptedModel(['ok']).model, features: { [name]: false } });
    });
    afterAll(async () => {
      await on.app.close();
      await off.app.close();
    });
    const statusIn = ({ deps }: typeof on) => deps.plugins.status().find((status) => status.name === name);
    const routes = () =>
      (statusIn(on)?.routes ?? []).map((route) => {
        const [method = '', path = ''] = route.split(' ');
        return { method: method as Method, path, url: path.replaceAll(/:\w+/g, 'x') };
      });

    it('has a folder with its name and a README', () => {
      expect(existsSync(new URL(`../${name}/README.md`, import.meta.url))).toBe(true);
    });

    it('reports whether it is on or off', () => {
      expect(statusIn(on)).toMatchObject({ status: 'on', failures: 0 });
      expect(statusIn(off)).toMatchObject({ status: 'off', reason: 'switched off', tools: [], routes: [] });
    });

    it('describes the parameters of each tool as an object', () => {
      const [active] = on.deps.plugins.active(name);
      for (const { tool, schema } of active?.tools ?? []) {
        expect(schema.json, tool.name).toMatchObject({ type: 'object' });
        expect(schema.check('no object').ok, tool.name).toBe(false);
      }
    });

    it('restricts its routes to authenticated callers, except the routes it excludes', async () => {
      const [active] = on.deps.plugins.active(name);
      const open = (active && plugin.getAuthExcludedRoutes?.(active.boot)) ?? [];
      for (const { method, path, url } of routes()) {
        const { statusCode } = await on.app.inject({ method, url });
        if (isNamed(open, method, path)) expect(statusCode, path).not.toBe(401);
        else expect(statusCode, path).toBe(401);
      }
    });

    it('describes its routes, and removes them when it is off', async () => {
      const { paths } = (await on.app.inject({ url: '/docs/json' })).json();
      const headers = await headersOf('c');
      for (const { method, path, url } of routes()) {
        const described = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
        expect(described?.summary, path).toEqual(expect.any(String));
        expect((await off.app.inject({ method, url, headers })).statusCode, path).toBe(404);
      }
    });

    it('is skipped when it fails in a turn, and the turn continues with the tools of all other plugins', async () => {
      const broken: OraclePlugin = {
        ...plugin,
        ...(plugin.manifest.visibility === 'silent' ? {} : { getRequestTools: boom }),
        getSharedState: boom,
        getMiddlewares: () => ({ beforeModel: boom, wrapModel: boom, afterModel: boom, wrapTool: boom }),
      };
      const neighbour = testPlugin('neighbour', { getTools: () => [testTool('knock')] });
      const parts = { ...options, features: { [name]: true }, gate: openGate, instead: broken };
      const { app, say, statusOf } = await oracleWith([neighbour], parts);
      expect(await say('use the tool knock')).toContain('knock ran');
      expect(statusOf(name)?.failures).toBeGreaterThan(3);
      expect(statusOf('neighbour')?.failures).toBe(0);
      await app.close();
    });

    it('is optional: a turn without it ends normally', async () => {
      const headers = await headersOf('c');
      const url = `/messages/${await newSession(off.app, headers)}`;
      const sent = await off.app.inject({ method: 'POST', url, headers, payload: { message: 'hi' } });
      expect(sent.statusCode).toBe(200);
    });
  });
}
