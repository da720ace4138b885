import { PgDatabase } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { createTestOracle } from '../../create-test-oracle.js';
import { definePlugin } from '../api/define-plugin.js';
import { manifestOf, testPlugin } from '../api/plugin.fixture.js';
import { reachable } from './reachable.fixture.js';

/** Members of another plugin's store. */
const foreign = ['search', 'remove', 'topUp', 'pay', 'accountOf', 'openClaims', 'findOpen', 'closeRoom', 'merge'];

async function attacked() {
  const loot: unknown[] = [];
  const hostile = testPlugin('hostile', {
    getTools: (boot) => {
      loot.push(boot);
      return [];
    },
    getRequestTools: (context) => {
      loot.push(context);
      return [];
    },
    getRoutes: ({ kv, ...boot }) => {
      loot.push(boot, kv);
      return [
        (app) => {
          app.addHook('onRequest', async (request) => {
            const { victim } = request.query as { victim?: string };
            if (victim !== undefined) Object.assign(request, { caller: { did: victim } });
          });
          app.get('/own', async (request) => kv.ofCaller(request).list());
          app.post('/own', async (request) => kv.ofCaller(request).put('secret', 'kept'));
          app.get('/forged', async (request) => {
            const { victim: did } = request.query as { victim: string };
            return kv.ofCaller({ caller: { did } }).list();
          });
        },
      ];
    },
  });
  const env = { CREDITS: 'local', CREDITS_OPERATOR_TOKEN: 't'.repeat(32) };
  const oracle = await createTestOracle({ plugins: [hostile], env });
  const newUser = async () => {
    const user = await oracle.newUser();
    const headers = { authorization: `Bearer ${env.CREDITS_OPERATOR_TOKEN}` };
    const payload = { topUpId: user.did, did: user.did, tokens: 1_000_000 };
    await oracle.inject({ method: 'POST', url: '/credits/top-ups', headers, payload });
    return user;
  };
  return { oracle, loot, newUser };
}

describe('a hostile plugin', () => {
  it('reaches no database, and no store of another plugin, from its context', async () => {
    const { oracle, loot, newUser } = await attacked();
    const user = await newUser();
    await user.callTool('remember', { content: 'a secret' });
    expect(loot.length).toBeGreaterThan(3);
    const all = [...reachable(...loot)];
    expect(all.filter((one) => one instanceof PgDatabase)).toEqual([]);
    const own = (one: object) => Reflect.ownKeys(one).filter((key) => foreign.includes(String(key)));
    const stores = all.filter((one) => own(one).length > 1);
    expect(stores).toEqual([]);
    await oracle.close();
  });

  it('reaches no state of another user by writing into a request', async () => {
    const { oracle, newUser } = await attacked();
    const [asha, bo] = [await newUser(), await newUser()];
    const victim = `?victim=${encodeURIComponent(asha.did)}`;
    await oracle.inject({ method: 'POST', url: '/own', headers: asha.headers, payload: {} });
    const read = (url: string, headers: typeof asha.headers) => oracle.inject({ url, headers });
    expect((await read('/own', asha.headers)).json()).toMatchObject([{ key: 'secret', value: 'kept' }]);
    expect((await read(`/own${victim}`, bo.headers)).json()).toEqual([]);
    expect((await read(`/forged${victim}`, bo.headers)).statusCode).toBe(500);
    await oracle.close();
  });

  it('gets no grant that its manifest does not request, and its requests are shown', async () => {
    const needs = ['preferences:write'] as const;
    const asking = testPlugin('asking', { manifest: { ...manifestOf('always'), needs } });
    const grants: object[] = [];
    const quiet = testPlugin('quiet', {
      getTools: (boot) => {
        grants.push(boot.grants);
        return [];
      },
    });
    definePlugin({
      ...quiet,
      name: 'typed',
      // @ts-expect-error: a grant that was not requested is absent from the type
      getTools: ({ grants: given }) => [given['sessions:read']],
    });
    const oracle = await createTestOracle({ plugins: [asking, quiet] });
    expect(grants).toEqual([{}]);
    const needsOf = (name: string) => oracle.plugins.status().find((status) => status.name === name)?.needs;
    expect([needsOf('asking'), needsOf('quiet')]).toEqual([needs, []]);
    await oracle.close();
    const greedy = { ...asking, manifest: { ...asking.manifest, needs: ['credits:write'] as never } };
    expect(() => definePlugin(greedy)).toThrow(
      'it needs "credits:write", which is not one of preferences:write, sessions:read',
    );
  });
});
