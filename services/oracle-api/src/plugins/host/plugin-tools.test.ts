import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../../test/app.fixture.js';
import { oracleWith, testTool } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';
import type { PluginMiddlewares } from '../api/plugin-middlewares.js';
import { defineTool } from '../api/plugin-tool.js';

describe('tools of plugins', () => {
  it('are called by the model, which receives their results', async () => {
    const { app, say, requests } = await oracleWith([
      testPlugin('weather', { getTools: () => [testTool('forecast')] }),
    ]);
    expect(await say('use the tool forecast')).toContain('forecast ran');
    expect(requests[0]?.tools).toContainEqual({
      name: 'forecast',
      description: 'Does forecast.',
      schema: expect.objectContaining({ type: 'object' }),
    });
    await app.close();
  });

  it('of one name keep the oracle from starting, with an error that names both plugins', async () => {
    const [a, b] = ['a', 'b'].map((name) => testPlugin(name, { getTools: () => [testTool('same')] }));
    await expect(testApp({ plugins: [a, b].filter((one) => one !== undefined) })).rejects.toThrow(
      'plugin "b": a tool "same" exists already, of plugin "a"',
    );
    const own = testPlugin('own', { getTools: () => [testTool('load_capability')] });
    await expect(testApp({ plugins: [own] })).rejects.toThrow('of the oracle itself');
  });

  it('of one turn exist in that turn only, and never take a used name', async () => {
    const plugin = testPlugin('turns', {
      getTools: () => [testTool('taken')],
      getRequestTools: ({ session }) => [
        testTool('taken', () => 'wrong'),
        testTool(typeof session.metadata['wanted'] === 'string' ? session.metadata['wanted'] : 'other'),
      ],
    });
    const { app, say, toolsSeen, statusOf } = await oracleWith([plugin]);
    expect(await say('use the tool taken', { metadata: { wanted: 'special' } })).toContain('taken ran');
    expect(toolsSeen()).toEqual(expect.arrayContaining(['taken', 'special']));
    expect(toolsSeen().filter((name) => name === 'taken')).toHaveLength(1);
    expect(statusOf('turns')?.failures).toBe(1);
    await say('hello');
    expect(toolsSeen()).toContain('other');
    await app.close();
  });

  it('precede tools that the user’s tab declares under the same name', async () => {
    const { app, say, toolsSeen } = await oracleWith([
      testPlugin('weather', { getTools: () => [testTool('forecast')] }),
    ]);
    const tools = [{ name: 'forecast', description: 'of the tab', schema: {} }];
    expect(await say('use the tool forecast', { tools })).toContain('forecast ran');
    expect(toolsSeen().filter((name) => name === 'forecast')).toHaveLength(1);
    await app.close();
  });
});

describe('middlewares of plugins', () => {
  it('read and change requests to the model and arguments of tools', async () => {
    const afterModel = vi.fn<NonNullable<PluginMiddlewares['afterModel']>>();
    const plugin = testPlugin('around', {
      getTools: () => [
        defineTool({
          name: 'echo',
          description: 'Echoes.',
          inputSchema: z.object({ x: z.number() }),
          execute: (args) => args,
        }),
      ],
      getMiddlewares: () => ({
        beforeModel: (request) => ({ ...request, instructions: `${request.instructions}\nBe brief.` }),
        afterModel,
        wrapTool: ({ args }, run) => run({ ...args, x: 2 }),
      }),
    });
    const { app, say, requests } = await oracleWith([plugin]);
    expect(await say('use the tool echo with {"x": 1}')).toContain('{"x":2}');
    expect(requests[0]?.instructions).toMatch(/Be brief\.$/);
    expect(afterModel.mock.calls[0]?.[0]).toMatchObject({ toolCalls: [{ name: 'echo', args: { x: 1 } }] });
    await app.close();
  });
});
