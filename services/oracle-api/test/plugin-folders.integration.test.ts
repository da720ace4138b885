import { describe, expect, it } from 'vitest';
import { failedStart, pluginFolders, servedPlugins, withBroken, without } from './plugin-folders.fixture.js';

const half = Math.ceil(pluginFolders.length / 2);
const halves = [pluginFolders.slice(0, half), pluginFolders.slice(half)];
const [first = '', last = ''] = [pluginFolders[0], pluginFolders.at(-1)];

describe('a service as a process', { timeout: 90_000 }, () => {
  it.each(halves)('runs without the plugins %s and others, with the rest', async (...missing) => {
    const rest = pluginFolders.filter((name) => !missing.includes(name));
    expect((await without(missing, () => servedPlugins())).toSorted()).toEqual(rest.toSorted());
  });

  it.each(pluginFolders)('runs without the plugin %s, with all others', async (name) => {
    const rest = pluginFolders.filter((other) => other !== name);
    expect((await without([name], () => servedPlugins())).toSorted()).toEqual(rest.toSorted());
  });

  it('runs without any plugin', async () => {
    expect(await without(pluginFolders, () => servedPlugins())).toEqual(['']);
  });

  it.each([
    [first, "throw new Error('broken on purpose')", 'broken on purpose'],
    [last, "throw new Error('broken on purpose')", 'broken on purpose'],
    ['chain', 'export {}', 'plugin.js must export one thing: the plugin'],
    ['chain', 'export const one = 1, two = 2', 'plugin.js must export one thing: the plugin'],
    ['chain', "export { memory } from '../memory/plugin.js'", 'its name is'],
  ])('refuses to start with the folder %s containing: %s', async (name, text, problem) => {
    const output = await withBroken(name, text, failedStart);
    expect(output).toContain(`plugin \\"${name}\\" cannot be loaded: ${problem}`);
  });

  it('runs with a broken plugin folder if the plugin is switched off', async () => {
    const names = await withBroken('chain', 'throw new Error()', () => servedPlugins({ FEATURES: 'chain=off' }));
    expect(names.toSorted()).toEqual(pluginFolders.filter((name) => name !== 'chain').toSorted());
  });
});
