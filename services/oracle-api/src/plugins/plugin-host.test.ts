import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { headersOf, newSession, type TestOptions, testApp } from '../app.fixture.js';
import type { LanguageModel, ModelRequest } from '../models/language-model.js';
import { localModel } from '../models/local/local-model.js';
import type { RuntimeContext } from '../runtime/runtime-context.js';
import { manifestOf, testPlugin } from './plugin.fixture.js';
import type { OraclePlugin } from './plugin.js';
import type { PluginMiddlewares } from './plugin-middlewares.js';
import { defineTool } from './plugin-tool.js';

const tool = (name: string, execute = (): unknown => `${name} ran`) =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: z.object({}), execute });

/** An oracle with plugins, whose model calls the tools it is told to call. */
async function oracleWith(plugins: OraclePlugin[], options: TestOptions = {}) {
  const requests: ModelRequest[] = [];
  const local = localModel({ paceMs: 0 });
  const model: LanguageModel = {
    ...local,
    stream: (request, signal) => {
      requests.push(request);
      return local.stream(request, signal);
    },
  };
  const { app, deps } = await testApp({ model, plugins, ...options });
  const headers = await headersOf('a');
  const session = await newSession(app, headers);
  const say = async (message: string, payload: object = {}) => {
    const reply = await app.inject({
      method: 'POST',
      url: `/messages/${session}`,
      headers,
      payload: { message, ...payload },
    });
    return reply.json().message?.content as string;
  };
  const toolsSeen = () => requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
  const statusOf = (name: string) => deps.plugins.status().find((status) => status.name === name);
  return { app, say, session, requests, toolsSeen, statusOf };
}

describe('tools of plugins', () => {
  it('are called by the model, and their results are its to tell', async () => {
    const { app, say, requests } = await oracleWith([testPlugin('weather', { getTools: () => [tool('forecast')] })]);
    expect(await say('use the tool forecast')).toContain('forecast ran');
    expect(requests[0]?.tools).toContainEqual({
      name: 'forecast',
      description: 'Does forecast.',
      schema: expect.objectContaining({ type: 'object' }),
    });
    await app.close();
  });

  it('of one name refuse to start, naming both plugins', async () => {
    const [a, b] = ['a', 'b'].map((name) => testPlugin(name, { getTools: () => [tool('same')] }));
    await expect(testApp({ plugins: [a, b].filter((one) => one !== undefined) })).rejects.toThrow(
      'plugin "b": a tool "same" is there already, of plugin "a"',
    );
    const own = testPlugin('own', { getTools: () => [tool('load_capability')] });
    await expect(testApp({ plugins: [own] })).rejects.toThrow('of the oracle itself');
  });

  it('of one turn come and go, and never take a name that is taken', async () => {
    const plugin = testPlugin('turns', {
      getTools: () => [tool('taken')],
      getRequestTools: ({ session }) => [
        tool('taken', () => 'wrong'),
        tool(typeof session.metadata['wanted'] === 'string' ? session.metadata['wanted'] : 'other'),
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

  it('stand before those that the user’s tab declares under the same name', async () => {
    const { app, say, toolsSeen } = await oracleWith([testPlugin('weather', { getTools: () => [tool('forecast')] })]);
    const tools = [{ name: 'forecast', description: 'of the tab', schema: {} }];
    expect(await say('use the tool forecast', { tools })).toContain('forecast ran');
    expect(toolsSeen().filter((name) => name === 'forecast')).toHaveLength(1);
    await app.close();
  });
});

describe('capabilities on demand', () => {
  const weather = () =>
    testPlugin('weather', { manifest: manifestOf('on-demand'), getTools: () => [tool('forecast')] });

  it('are listed, loaded within the turn that asks, and stay loaded in the session', async () => {
    const { app, say, requests, toolsSeen } = await oracleWith([weather()]);
    const listed = await say('use the tool list_capabilities');
    expect(listed).toContain('"name":"weather"');
    expect(toolsSeen()).not.toContain('forecast');
    expect(requests[0]?.instructions).toContain('on-demand (weather)');
    await say('use the tool load_capability with {"name":"weather"}');
    expect(toolsSeen()).toContain('forecast');
    expect(await say('use the tool forecast')).toContain('forecast ran');
    await app.close();
  });

  it('that are unknown are refused with words', async () => {
    const { app, say } = await oracleWith([weather()]);
    expect(await say('use the tool load_capability with {"name":"other"}')).toContain(
      'There is no capability called other',
    );
    await app.close();
  });

  it('do not show where there are none, and silent plugins never do', async () => {
    const silent = testPlugin('silent-one', { manifest: manifestOf('silent') });
    const { app, say, requests, toolsSeen } = await oracleWith([silent]);
    await say('hello');
    expect(toolsSeen()).not.toContain('list_capabilities');
    expect(requests[0]?.instructions).not.toContain('silent');
    await app.close();
  });
});

describe('what a plugin is told of a turn', () => {
  it('is who asks, where, what was said, and its own settings', async () => {
    let seen: RuntimeContext | undefined;
    const plugin = testPlugin('watching', {
      getRequestTools: (context) => {
        seen = context;
        return [];
      },
    });
    const settings = new Map([['watching', { WATCHED: 'yes' }]]);
    const { app, say, session } = await oracleWith([plugin], { settings });
    await say('first');
    await say('second', { timezone: 'Africa/Nairobi', metadata: { spaceId: 's' }, requestId: 'r-2' });
    expect(seen).toMatchObject({
      user: { did: expect.stringMatching(/^did:key:/), timezone: 'Africa/Nairobi', currentTime: expect.any(Date) },
      session: { id: session, requestId: 'r-2', metadata: { spaceId: 's' } },
      preferences: undefined,
      config: { WATCHED: 'yes' },
      shared: {},
    });
    expect(seen?.history.messages.map(({ content }) => content)).toEqual(['first', expect.any(String), 'second']);
    expect(seen?.history.recent(1).map(({ content }) => content)).toEqual(['second']);
    expect(await seen?.user.delegation()).toEqual({ authorized: false, reason: 'missing' });
    expect(await seen?.ucan.hasCapability({ can: 'mail/send', with: 'mailto:x' })).toBe(false);
    await expect(seen?.ucan.requireCapability({ can: 'mail/send', with: 'mailto:x' })).rejects.toThrow(
      'has not granted',
    );
    expect(seen?.ucan.hasSigningKey()).toBe(true);
    await app.close();
  });

  it('includes the shared state of the plugins before it, made anew in each turn', async () => {
    let turns = 0;
    const seen: unknown[] = [];
    const first = testPlugin('first', { getSharedState: () => ({ turn: ++turns }) });
    const second = testPlugin('second', {
      dependsOn: ['first'],
      getRequestTools: ({ shared }) => {
        seen.push(shared);
        return [];
      },
    });
    const { app, say } = await oracleWith([second, first]);
    await say('hello');
    await say('hello');
    expect(seen).toEqual([{ first: { turn: 1 } }, { first: { turn: 2 } }]);
    await app.close();
  });

  it('can be told to those who follow the turn, until it is over', async () => {
    let emit: RuntimeContext['emit'] | undefined;
    const plugin = testPlugin('thinking', {
      getTools: () => [
        defineTool({
          name: 'think',
          description: 'Thinks.',
          inputSchema: z.object({}),
          execute: async (_args, context) => {
            emit = context.emit;
            await context.emit.reasoning({ reasoning: 'hm', isComplete: true });
            await context.emit.renderComponent({ componentName: 'Chart', args: { x: 1 } });
            const answer = await context.emit.browserToolCall({ toolName: 'none', args: {} });
            return answer.ok;
          },
        }),
      ],
    });
    const { app, say } = await oracleWith([plugin]);
    expect(await say('use the tool think')).toContain('false');
    await expect(emit?.router({ step: 'late' })).resolves.toBeUndefined();
    await app.close();
  });
});

describe('a plugin that throws', () => {
  it('at request time is passed over and counted, and the turn goes on', async () => {
    const boom = (): never => {
      throw new Error('broken');
    };
    const broken = testPlugin('broken', {
      getRequestTools: boom,
      getSharedState: boom,
      getMiddlewares: () => ({ beforeModel: boom, wrapModel: boom, afterModel: boom, wrapTool: boom }),
      getTools: () => [tool('fails', boom)],
    });
    const { app, say, statusOf } = await oracleWith([broken, testPlugin('sound', { getTools: () => [tool('works')] })]);
    expect(await say('use the tool works')).toContain('works ran');
    expect(await say('use the tool fails')).toContain('The tool failed.');
    expect(await say('hello')).toContain('Hello');
    expect(statusOf('broken')?.failures).toBeGreaterThan(5);
    expect(statusOf('sound')?.failures).toBe(0);
    await app.close();
  });

  it('at start keeps the oracle from starting, and is named', async () => {
    const broken = testPlugin('broken', {
      getTools: () => {
        throw new Error('no key');
      },
    });
    await expect(testApp({ plugins: [broken] })).rejects.toThrow('plugin "broken" cannot be started: no key');
  });
});

describe('middlewares of plugins', () => {
  it('see and change what the model is asked and what tools are given', async () => {
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
