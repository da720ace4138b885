import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { createTestOracle } from '../../create-test-oracle.js';
import { oracleTables } from '../../deps/stores.js';
import { manifestOf, testPlugin } from '../api/plugin.fixture.js';
import { bundledPlugins } from './bundled-plugins.js';
import { checkTableNames, ownedTables } from './plugin-tables.js';

const withTables = (name: string, names: readonly string[], statements: readonly string[] = []) =>
  testPlugin(name, { tables: { names, migrations: [{ name: '0', sql: statements }], open: () => 'opened' } });

describe('table names of plugins', () => {
  it.each([
    ['weather', 'weather_towns', undefined],
    ['rain-maps', 'rain_maps_tiles', undefined],
    ['weather', 'towns', 'the table "towns" must be named "weather_", then a-z, 0-9 and "_"'],
    ['weather', 'weather_Towns', 'must be named'],
    ['weather', `weather_${'x'.repeat(60)}`, 'must be named'],
    ['credit', 'credit_accounts', 'the table "credit_accounts" belongs to plugin "credits"'],
    ['plugin', 'plugin_state', 'the table "plugin_state" belongs to the oracle'],
  ])('begin with the name of their plugin and have one owner: plugin %s, table %s', async (plugin, table, problem) => {
    const check = () => checkTableNames([...bundled, withTables(plugin, [table])], oracleTables);
    const bundled = await bundledPlugins();
    if (problem === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });

  it('are required, also for a plugin in JavaScript', () => {
    const tables = { migrations: [], open: () => 0 } as never;
    expect(() => checkTableNames([testPlugin('weather', { tables })], oracleTables)).toThrow('tables.names must list');
  });

  it('are checked before the oracle opens its database, also for plugins that are off', async () => {
    const plugins = [withTables('weather', ['towns'])];
    await expect(createTestOracle({ plugins, features: { weather: false } })).rejects.toThrow(
      'must be named "weather_"',
    );
  });

  it('of bundled plugins match their drizzle schemas', async () => {
    for (const { name, tables } of await bundledPlugins()) {
      if (tables === undefined) continue;
      const schema: Record<string, unknown> = await import(`../${name}/schema.ts`);
      const declared = Object.values(schema).flatMap((one) => (is(one, PgTable) ? [getTableName(one)] : []));
      expect(tables.names.toSorted(), name).toEqual(declared.toSorted());
    }
  });
});

describe('tables of plugins in the database', () => {
  it('reference sessions only if the plugin requests sessions:read, and have a role only with PLUGIN_ROLES', () => {
    const reading = testPlugin('reading', {
      manifest: { ...manifestOf('always'), needs: ['sessions:read'] },
      tables: { names: ['reading_marks'], migrations: [], open: () => 0 },
    });
    const plugins = [reading, withTables('rain-maps', ['rain_maps_tiles'])].map((plugin) => ({
      plugin,
      feature: true as const,
      isOn: true,
    }));
    expect(ownedTables(plugins, undefined)).toMatchObject([
      { owner: 'plugin reading', names: ['reading_marks'], refersTo: ['sessions'] },
      { owner: 'plugin rain-maps', names: ['rain_maps_tiles'], refersTo: [] },
    ]);
    expect(ownedTables(plugins, undefined).some((part) => 'role' in part)).toBe(false);
    const roles = { database: 'oracle', password: 'p' };
    expect(ownedTables(plugins, roles).map(({ role }) => role?.name)).toEqual([
      'oracle_plugin_reading',
      'oracle_plugin_rain_maps',
    ]);
    expect(() => ownedTables(plugins, { ...roles, database: 'x'.repeat(50) })).toThrow('longer than 63 bytes');
    expect(
      ownedTables(
        plugins.map((plugin) => ({ ...plugin, isOn: false })),
        roles,
      ),
    ).toEqual([]);
  });

  it.each([
    ['table weather_towns', ['create table weather_towns (id int)']],
    [
      'table memories',
      ['create table weather_rain (words text)', 'insert into weather_rain select content from memories'],
    ],
    [
      'table sessions',
      [
        'create table weather_rain (o text, s text, foreign key (o, s) references sessions(owner_did, session_id) on delete cascade)',
      ],
    ],
  ])('keep the oracle from starting if a migration touches another table: %s', async (object, statements) => {
    const plugins = [withTables('weather', ['weather_rain'], statements)];
    await expect(createTestOracle({ plugins })).rejects.toThrow(
      `plugin weather: its migrations use or change what is not its own: ${object}`,
    );
  });
});
