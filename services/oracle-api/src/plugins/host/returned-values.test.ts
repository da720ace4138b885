import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../../test/app.fixture.js';
import { oracleWith, testTool } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';
import type { OraclePlugin } from '../api/plugin.js';

/** A plugin as JavaScript code may define it, with members of any type. */
const untyped = (members: object): OraclePlugin => testPlugin('faulty', members as Partial<OraclePlugin>);
const tool = testTool('fine');
const startOf = async (members: object) => testApp({ plugins: [untyped(members)] });

describe('a value that a plugin returns at start', () => {
  it.each<[string, object, string]>([
    ['getTools, async', { getTools: async () => [tool] }, 'getTools returned a Promise: remove async, and return an'],
    ['getTools, a single tool', { getTools: () => tool }, 'getTools returned an object with name, description'],
    ['getTools, names of tools', { getTools: () => ['fine'] }, 'getTools returned, at index 0, a string'],
    ['getTools, an array', { getTools: [tool] }, 'getTools is not a function: write getTools: (…) => …'],
    [
      'a tool without a description',
      { getTools: () => [{ ...tool, description: undefined }] },
      'the tool "fine" has no description: describe what it does',
    ],
    ['a tool without execute', { getTools: () => [{ ...tool, execute: undefined }] }, '"fine" has no execute: add'],
    [
      'a tool that takes a text',
      { getTools: () => [{ ...tool, inputSchema: z.string() }] },
      'the tool "fine" does not take an object: use inputSchema: z.object({ … })',
    ],
    [
      'a tool with a JSON Schema of an array',
      { getTools: () => [{ ...tool, inputSchema: { type: 'array' } }] },
      'the tool "fine" does not take an object',
    ],
    ['a tool without a schema', { getTools: () => [{ ...tool, inputSchema: undefined }] }, '"fine" has no inputSchema'],
    [
      'a tool with a schema of zod 3',
      { getTools: () => [{ ...tool, inputSchema: { _def: { typeName: 'ZodObject' }, safeParse: () => ({}) } }] },
      '"fine" has a schema of another version of zod: install zod 4',
    ],
    [
      'a tool with unknown effects',
      { getTools: () => [{ ...tool, effects: 'nothing' }] },
      'unknown effects "nothing": use none, inside, outside',
    ],
    ['configSchema, a plain object', { configSchema: { KEY: z.string() } }, 'configSchema is not a zod object: write'],
    ['getRoutes, an object', { getRoutes: () => ({ '/a': () => 1 }) }, 'getRoutes returned an object with /a: return'],
    ['getMiddlewares, async', { getMiddlewares: async () => ({}) }, 'getMiddlewares returned a Promise: remove async'],
    [
      'getMiddlewares, no functions',
      { getMiddlewares: () => ({ wrapTool: true }) },
      'getMiddlewares returned an object',
    ],
    ['getPaymentGate, a function', { getPaymentGate: () => () => undefined }, 'getPaymentGate returned a function'],
    ['getUsageMeter, no record', { getUsageMeter: () => ({}) }, 'getUsageMeter returned an object without fields'],
    ['getFigures, no read', { getFigures: () => [{ name: 'a', help: 'b' }] }, 'getFigures returned, at index 0,'],
    ['getResources, no array', { getResources: () => ({}) }, 'getResources returned an object without fields'],
    [
      'autoDetect, async',
      { autoDetect: async () => true },
      'autoDetect returned a Promise: remove async, and return true',
    ],
    ['failClosed, a text', { failClosed: 'true' }, 'failClosed is not a boolean: write failClosed: true'],
    ['dependsOn, a text', { dependsOn: 'other' }, "dependsOn is not an array of names: write dependsOn: ['…']"],
    ['no manifest', { manifest: undefined }, 'it has no manifest: add manifest: { title, summary'],
    [
      'an excluded route that no plugin has',
      { getRoutes: () => [], getAuthExcludedRoutes: () => ['/misspelt'] },
      'getAuthExcludedRoutes: there is no route /misspelt: use the path as the route declares it',
    ],
    [
      'an excluded route of another method',
      {
        getRoutes: () => [
          (app: { get: (path: string, handler: () => void) => void }) => app.get('/a', () => undefined),
        ],
        getAuthExcludedRoutes: () => [{ method: 'POST', path: '/a' }],
      },
      'getAuthExcludedRoutes: there is no route POST /a',
    ],
  ])('is refused with plugin, member and remedy: %s', async (_what, members, text) => {
    const refusal = await startOf(members).then(
      async ({ app }) => app.close().then(() => 'started'),
      (error: unknown) => String(error),
    );
    expect(refusal).toContain('plugin "faulty"');
    expect(refusal).toContain(text);
  });

  it('is refused for an excluded route in the options that no plugin has', async () => {
    const attempt = testApp({ plugins: [untyped({})], authExcludedRoutes: ['/misspelt'] });
    await expect(attempt).rejects.toThrow('authExcludedRoutes: there is no route /misspelt');
  });
});

describe('a value that a plugin returns in a turn', () => {
  it.each<[string, object]>([
    ['wrapTool, undefined', { getMiddlewares: () => ({ wrapTool: () => undefined }) }],
    ['wrapTool, no answer', { getMiddlewares: () => ({ wrapTool: async () => ({ result: 1 }) }) }],
    ['wrapTool, no JSON', { getMiddlewares: () => ({ wrapTool: async () => ({ ok: true, result: 1n }) }) }],
    ['beforeModel, no request', { getMiddlewares: () => ({ beforeModel: () => ({ messages: 'hello' }) }) }],
    ['wrapModel, a Promise', { getMiddlewares: () => ({ wrapModel: async () => undefined }) }],
    [
      'wrapModel, no part',
      {
        getMiddlewares: () => ({
          async *wrapModel() {
            yield { type: 'text', text: 'delta is missing' };
          },
        }),
      },
    ],
    ['getRequestTools, a single tool', { getRequestTools: () => testTool('single') }],
    ['getRequestTools, no execute', { getRequestTools: () => [{ ...testTool('single'), execute: undefined }] }],
    ['getFiles, texts', { getFiles: () => ['text'] }],
  ])('is skipped and counted: %s', async (_what, members) => {
    const { app, say, statusOf } = await oracleWith([
      untyped(members),
      testPlugin('sound', { getTools: () => [testTool('works')] }),
    ]);
    expect(await say('use the tool works')).toContain('works ran');
    expect(statusOf('faulty')?.failures).toBeGreaterThan(0);
    await app.close();
  });

  it('leads to one call of the tool if wrapTool returns undefined after run()', async () => {
    let calls = 0;
    const wrapTool = (_call: unknown, run: () => void) => run();
    const counted = testTool('counted', () => {
      calls += 1;
      return `call ${calls}`;
    });
    const { app, say } = await oracleWith([
      untyped({ getMiddlewares: () => ({ wrapTool }), getTools: () => [counted] }),
    ]);
    expect(await say('use the tool counted')).toContain('call 1');
    expect(calls).toBe(1);
    await app.close();
  });

  it('ends a tool call as failed if execute returns no JSON', async () => {
    const { app, say, statusOf } = await oracleWith([
      untyped({ getTools: () => [testTool('odd', () => () => 'a function')] }),
    ]);
    expect(await say('use the tool odd')).toContain('The tool failed.');
    expect(statusOf('faulty')?.failures).toBe(1);
    await app.close();
  });

  it('requires approval if needsApproval returns undefined', async () => {
    const undecided = { ...testTool('pay'), needsApproval: () => undefined };
    const { app, follow } = await oracleWith([untyped({ getTools: () => [undecided] })]);
    expect(await follow('use the tool pay')).toContain('This waits for your approval');
    await app.close();
  });

  it('refuses the message if a gate returns an invalid demand', async () => {
    const { app, follow } = await oracleWith([untyped({ getPaymentGate: () => ({ demandOf: async () => 'pay' }) })]);
    expect(await follow('hello')).toContain('"statusCode":500');
    await app.close();
  });

  it('names a missing capability for the model and for the user', async () => {
    const pays = {
      ...testTool('pays'),
      execute: async (_args: object, { ucan }: { ucan: { requireCapability(one: object): Promise<void> } }) =>
        ucan.requireCapability({ can: 'bank/pay', with: 'ixo:bank' }),
    };
    const { app, follow } = await oracleWith([untyped({ getTools: () => [pays] })]);
    const stream = await follow('use the tool pays');
    expect(stream).toContain('Not done: it needs the capability bank/pay on ixo:bank');
    expect(stream).toContain('This needs the capability bank/pay on ixo:bank. To grant it, authorise this oracle');
    await app.close();
  });
});
