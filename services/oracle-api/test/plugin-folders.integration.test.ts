import { expect, it } from 'vitest';
import { pluginFolders, servedPlugins, without } from './plugin-folders.fixture.js';

it.each(pluginFolders)('a service runs without the plugin %s, with all others', { timeout: 90_000 }, async (name) => {
  const rest = pluginFolders.filter((other) => other !== name);
  expect((await without([name], () => servedPlugins())).toSorted()).toEqual(rest.toSorted());
});
