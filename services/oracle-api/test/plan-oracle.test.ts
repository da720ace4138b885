import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvError } from '@mlango/service-kit/env';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { planOracle } from '../src/oracle.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import { bundledPlugins } from '../src/plugins/host/bundled-plugins.js';

const weather = testPlugin('weather', {
  configSchema: z.object({
    WEATHER_KEY: z.string().min(4, 'must be at least 4 characters'),
    WEATHER_UNIT: z.string().default('C'),
  }),
  autoDetect: (env) => env['WEATHER_KEY'] !== undefined,
});

function problemsOf(plan: () => unknown): string[] {
  try {
    plan();
  } catch (error) {
    if (error instanceof EnvError) return error.problems.map(({ variable, message }) => `${variable} ${message}`);
    throw error;
  }
  return [];
}

describe('the plan of an oracle', () => {
  it('gives each plugin the settings of its own schema', () => {
    const { settings, config } = planOracle({ plugins: [weather], env: { WEATHER_KEY: 'abcd', ORACLE_NAME: 'Jua' } });
    expect(settings.get('weather')).toEqual({ WEATHER_KEY: 'abcd', WEATHER_UNIT: 'C' });
    expect(config.identity.ORACLE_NAME).toBe('Jua');
  });

  it('refuses an enabled plugin without a required variable, naming it, with all other problems at once', () => {
    expect(
      problemsOf(() => planOracle({ plugins: [weather], features: { weather: true }, env: { PORT: 'x' } })),
    ).toEqual([expect.stringMatching(/^PORT /), 'WEATHER_KEY is required (plugin weather)']);
    expect(problemsOf(() => planOracle({ plugins: [weather], env: { WEATHER_KEY: 'x' } }))).toEqual([
      'WEATHER_KEY must be at least 4 characters (plugin weather)',
    ]);
  });

  it('does not validate settings of a plugin that is off', () => {
    const { plugins, settings } = planOracle({ plugins: [weather], env: {} });
    expect(plugins.find(({ plugin }) => plugin === weather)).toMatchObject({ isOn: false, reason: 'not set up' });
    expect(settings.has('weather')).toBe(false);
  });

  it('enables a plugin by a variable from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plan-'));
    const file = join(folder, 'key');
    await writeFile(file, 'from-a-file\n');
    const { settings } = planOracle({ plugins: [weather], env: { WEATHER_KEY_FILE: file } });
    expect(settings.get('weather')).toMatchObject({ WEATHER_KEY: 'from-a-file' });
    await rm(folder, { recursive: true });
  });

  it('has the bundled plugins on, and refuses another plugin with such a name', async () => {
    const bundled = await bundledPlugins();
    const on = planOracle({ plugins: bundled, env: {} }).plugins.filter(({ isOn }) => isOn);
    expect(on.map(({ plugin }) => plugin.name)).toEqual(expect.arrayContaining(['user-preferences', 'memory']));
    expect(() => planOracle({ plugins: [...bundled, testPlugin('memory')], env: {} })).toThrow(
      'two plugins called "memory"',
    );
  });
});
