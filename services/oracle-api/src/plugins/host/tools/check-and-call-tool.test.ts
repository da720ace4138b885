import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { outcomeUnknown } from '../../../agent/loop/turn-tool.js';
import { defineTool, OutcomeUnknownError, type PluginTool, ToolError } from '../../api/plugin-tool.js';
import type { RuntimeContext } from '../../api/runtime-context.js';
import type { PluginWrap } from '../model-middlewares.js';
import { callPluginTool } from './check-and-call-tool.js';
import { prepareTool } from './prepare-tool.js';

const context = { logger: createLogger({ service: 'test', level: 'silent' }) } as RuntimeContext;

function call(
  tool: PluginTool,
  args: Record<string, unknown>,
  options: { wraps?: PluginWrap[]; signal?: AbortSignal } = {},
) {
  const report = vi.fn<(error: unknown) => void>();
  const answer = callPluginTool({
    leftMs: Number.POSITIVE_INFINITY,
    tool: prepareTool({ name: 'test', version: '1.0.0' }, tool),
    args,
    idempotencyKey: 'run/1',
    isAllowed: false,
    toolCallId: 'call-1',
    signal: options.signal ?? new AbortController().signal,
    context,
    wraps: options.wraps ?? [],
    report,
    addFile: async () => ({ ok: false, reason: 'no files here' }),
  });
  return { answer, report };
}

type WrapTool = NonNullable<PluginWrap['middlewares']['wrapTool']>;

const wrapped = (wrapTool: WrapTool, report = vi.fn<(error: unknown) => void>()): PluginWrap => ({
  plugin: 'tested',
  middlewares: { wrapTool },
  failClosed: false,
  context,
  report: (_where, error) => report(error),
});

const double = defineTool({
  name: 'double',
  description: 'Doubles.',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }, { toolCallId }) => ({ n: n * 2, toolCallId }),
});
const failing = (error: unknown): PluginTool => ({
  ...double,
  inputSchema: {},
  execute: () => {
    throw error;
  },
});

describe('a call of a tool', () => {
  it('returns the result', async () => {
    expect(await call(double, { n: 21 }).answer).toEqual({ ok: true, result: { n: 42, toolCallId: 'call-1' } });
  });

  it('reports invalid arguments to the model and does not run', async () => {
    const execute = vi.fn<() => unknown>();
    for (const inputSchema of [
      z.object({ n: z.number() }),
      { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    ]) {
      expect(await call({ ...double, inputSchema, execute }, { n: 'x' }).answer).toEqual({
        ok: false,
        error: expect.stringMatching(/^The arguments do not fit: n: /),
        isBadCall: true,
      });
    }
    expect(execute).not.toHaveBeenCalled();
  });

  it('accepts any object if the schema is empty', async () => {
    const echo: PluginTool = {
      ...double,
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      execute: (args) => args,
    };
    expect(await call(echo, { any: ['thing'] }).answer).toEqual({ ok: true, result: { any: ['thing'] } });
  });

  it('gives the model the text of a ToolError, and hides the text of other errors', async () => {
    const known = call(failing(new ToolError('No such city.')), {});
    expect(await known.answer).toEqual({ ok: false, error: 'No such city.' });
    expect(known.report).not.toHaveBeenCalled();
    const bug = new Error('postgres://secret');
    const unknown = call(failing(bug), {});
    expect(await unknown.answer).toEqual({ ok: false, error: 'The tool failed.' });
    expect(unknown.report).toHaveBeenCalledWith(bug);
  });

  it('counts a result that is not JSON as a failure of the tool', async () => {
    expect(await call({ ...double, inputSchema: {}, execute: () => ({ n: 1n }) }, {}).answer).toEqual({
      ok: false,
      error: 'The tool failed.',
    });
  });

  it('is abandoned at its time limit, with its signal aborted and an unknown outcome unless it changes nothing', async () => {
    let seen: AbortSignal | undefined;
    const hanging: PluginTool = {
      ...double,
      inputSchema: {},
      timeoutMs: 10,
      execute: (_args, { abortSignal }) => {
        seen = abortSignal;
        return new Promise(() => undefined);
      },
    };
    const error = 'The tool took longer than 0.01 seconds.';
    expect(await call({ ...hanging, effects: 'none' }, {}).answer).toEqual({ ok: false, error });
    expect(await call(hanging, {}).answer).toEqual({ ok: false, error: `${error} ${outcomeUnknown}`, isUnknown: true });
    expect(seen?.aborted).toBe(true);
  });

  it('can report an unknown outcome itself', async () => {
    const broken: PluginTool = {
      ...double,
      inputSchema: {},
      execute: () => {
        throw new OutcomeUnknownError('The bank did not answer.');
      },
    };
    const error = 'The bank did not answer.';
    expect(await call({ ...broken, effects: 'none' }, {}).answer).toEqual({ ok: false, error });
    expect(await call(broken, {}).answer).toEqual({ ok: false, error: `${error} ${outcomeUnknown}`, isUnknown: true });
  });

  it('has an unknown outcome if it stops with the turn', async () => {
    const turn = new AbortController();
    const heeding: PluginTool = {
      ...double,
      inputSchema: {},
      execute: (_args, { abortSignal }) =>
        new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(new Error('aborted')))),
    };
    const { answer } = call(heeding, {}, { signal: turn.signal });
    await Promise.resolve();
    turn.abort();
    expect(await answer).toMatchObject({ ok: false, isUnknown: true });
  });
});

describe('a middleware around a tool', () => {
  it('sees the call, may change its arguments and its answer, and the first one is outermost', async () => {
    const seen: string[] = [];
    const outer = wrapped(async ({ toolName, args }, run) => {
      seen.push(`outer ${toolName} ${JSON.stringify(args)}`);
      return run({ n: 5 });
    });
    const inner = wrapped(async ({ args }, run) => {
      seen.push(`inner ${JSON.stringify(args)}`);
      const answer = await run();
      return answer.ok ? { ok: true, result: 'changed' } : answer;
    });
    expect(await call(double, { n: 1 }, { wraps: [outer, inner] }).answer).toEqual({ ok: true, result: 'changed' });
    expect(seen).toEqual(['outer double {"n":1}', 'inner {"n":5}']);
  });

  it('may refuse the call', async () => {
    const refusing = wrapped(async () => ({ ok: false, error: 'Not today.' }));
    expect(await call(double, { n: 1 }, { wraps: [refusing] }).answer).toEqual({ ok: false, error: 'Not today.' });
  });

  it('returns no result when a failClosed middleware throws, before the call or after it', async () => {
    const closed = (wrapTool: WrapTool) => ({ ...wrapped(wrapTool), failClosed: true });
    const before = closed(() => Promise.reject(new Error('broken')));
    const after = closed(async (_call, run) => {
      await run();
      throw new Error('broken');
    });
    const execute = vi.fn<() => string>(() => 'ran');
    const tool = { ...double, inputSchema: {}, execute };
    const refused = { ok: false, error: 'A safeguard of this tool failed, so there is no result.' };
    expect(await call(tool, {}, { wraps: [before] }).answer).toEqual(refused);
    expect(execute).not.toHaveBeenCalled();
    expect(await call(tool, {}, { wraps: [after] }).answer).toEqual(refused);
  });

  it('is skipped when it throws, before the call or after it, and the tool runs once', async () => {
    const execute = vi.fn<() => string>(() => 'done');
    const report = vi.fn<(error: unknown) => void>();
    const before = wrapped(async () => {
      throw new Error('broken before');
    }, report);
    const after = wrapped(async (_call, run) => {
      await run();
      throw new Error('broken after');
    }, report);
    const { answer } = call({ ...double, inputSchema: {}, execute }, {}, { wraps: [before, after] });
    expect(await answer).toEqual({ ok: true, result: 'done' });
    expect(execute).toHaveBeenCalledTimes(1);
    expect(report).toHaveBeenCalledTimes(2);
  });
});
