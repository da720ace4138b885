import { describe, expect, it, vi } from 'vitest';
import { testApp } from '../../../test/app.fixture.js';
import { createTestOracle } from '../../create-test-oracle.js';
import { gate } from '../../models/scripted-model.fixture.js';
import { testTool } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';
import type { OraclePlugin, PluginBoot } from '../api/plugin.js';
import { bootPlugins, closePlugins } from './plugin-start.js';

function closing(name: string, told: string[], members: Partial<OraclePlugin> = {}): OraclePlugin {
  return testPlugin(name, { close: () => void told.push(`${name} closed`), ...members });
}

const boom = (): never => {
  throw new Error('broken');
};

describe('plugins with open resources', () => {
  it('are closed once, the last one first, after the turns have ended and while the stores are open', async () => {
    const told: string[] = [];
    const [started, ended] = [gate(), gate()];
    const slow = testTool('slow', async () => {
      started.open();
      await ended.opened;
      told.push('turn ended');
    });
    const first = closing('first', told, {
      getTools: () => [slow],
      close: async ({ kv, config }) => {
        await kv.shared.list();
        told.push(`first closed with ${JSON.stringify(config)}`);
      },
    });
    const oracle = await createTestOracle({ plugins: [first, closing('second', told, { dependsOn: ['first'] })] });
    const user = await oracle.newUser();
    const session = await user.openSession();
    const answer = user.say('use the tool slow', session);
    await started.opened;
    const closed = [oracle.close(), oracle.close()];
    ended.open();
    await Promise.all([answer, ...closed]);
    expect(told).toEqual(['turn ended', 'second closed', 'first closed with {}']);
  });

  it.each([
    ['throws', boom],
    ['never finishes closing', () => new Promise<void>(() => undefined)],
  ])('are closed although another one %s, which is logged', async (_what, close) => {
    const told: string[] = [];
    const warn = vi.fn<(fields: object, text: string) => void>();
    const plugins = [closing('kept', told), closing('bad', told, { close }), closing('last', told)];
    const started = [...bootPlugins(plugins, () => ({}) as PluginBoot)];
    await closePlugins(started, { warn }, 1);
    expect(told).toEqual(['last closed', 'kept closed']);
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ plugin: 'bad' }), 'plugin could not be closed']]);
  });

  it.each(['getTools', 'getMiddlewares', 'getUsageMeter'] as const)(
    'are closed when a later one cannot be started, in %s',
    async (member) => {
      const told: string[] = [];
      const plugins = [closing('one', told), closing('two', told), closing('broken', told, { [member]: boom })];
      await expect(testApp({ plugins })).rejects.toThrow('plugin "broken" cannot be started');
      expect(told).toEqual(['two closed', 'one closed']);
    },
  );

  it('are closed, including the last one, when a duplicate tool name keeps the oracle from starting', async () => {
    const told: string[] = [];
    const getTools = () => [testTool('same')];
    const plugins = [closing('one', told, { getTools }), closing('two', told, { getTools })];
    await expect(testApp({ plugins })).rejects.toThrow('a tool "same" exists already');
    expect(told).toEqual(['two closed', 'one closed']);
  });
});
