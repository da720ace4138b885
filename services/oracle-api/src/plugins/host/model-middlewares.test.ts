import { describe, expect, it, vi } from 'vitest';
import type { LanguageModel, ModelPart, ModelRequest } from '../../models/language-model.js';
import type { PluginMiddlewares } from '../api/plugin-middlewares.js';
import type { RuntimeContext } from '../api/runtime-context.js';
import { withMiddlewares } from './model-middlewares.js';

const request: ModelRequest = { messages: [{ role: 'user', content: 'hi' }], oracleName: 'Jua', now: new Date(0) };
const text = (delta: string): ModelPart => ({ type: 'text', delta });

/** A model that yields the parts, or throws the error in their place. */
function modelOf(...parts: (ModelPart | Error)[]) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    async *stream(asked) {
      requests.push(asked);
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield part;
      }
    },
  };
  return { model, requests };
}

async function textOf(
  model: LanguageModel,
  middlewares: PluginMiddlewares[],
  notices: string[] = [],
  failClosed = false,
) {
  const report = vi.fn<(where: string, error: unknown) => void>();
  const wraps = middlewares.map((one) => ({
    plugin: 'tested',
    middlewares: one,
    context: {} as RuntimeContext,
    failClosed,
    report,
  }));
  let said = '';
  const around = withMiddlewares(model, wraps, () => notices.splice(0));
  for await (const part of around.stream(request, new AbortController().signal)) {
    if (part.type === 'text') said += part.delta;
  }
  return { said, failedIn: report.mock.calls.map(([where]) => where) };
}

async function* shouting(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart> {
  for await (const part of parts) yield part.type === 'text' ? text(part.delta.toUpperCase()) : part;
}

async function* failing(): AsyncIterable<ModelPart> {
  yield* [];
  throw new Error('broken');
}

describe('a model with plugin middlewares', () => {
  it('receives the request as changed by each beforeModel in turn', async () => {
    const { model, requests } = modelOf(text('a'));
    const naming = (suffix: string): PluginMiddlewares => ({
      beforeModel: (asked) => ({ ...asked, oracleName: asked.oracleName + suffix }),
    });
    await textOf(model, [naming('1'), { beforeModel: () => undefined }, naming('2')]);
    expect(requests[0]?.oracleName).toBe('Jua12');
  });

  it('yields the parts as changed by wrapModel', async () => {
    const { model } = modelOf(text('a'), text('b'));
    expect(await textOf(model, [{ wrapModel: (asked, ask) => shouting(ask(asked)) }])).toEqual({
      said: 'AB',
      failedIn: [],
    });
  });

  it('is not called when wrapModel answers instead', async () => {
    const { model, requests } = modelOf(text('a'));
    const answering: PluginMiddlewares = {
      async *wrapModel() {
        yield text('mine');
      },
    };
    expect((await textOf(model, [answering])).said).toBe('mine');
    expect(requests).toEqual([]);
  });

  it.each([
    ['before it calls the model', 0],
    ['after the first part', 1],
    ['after the second part', 2],
  ])('loses and duplicates nothing when a middleware breaks %s, and is called once', async (_when, parts) => {
    const { model, requests } = modelOf(text('a'), text('b'), text('c'));
    const breaking: PluginMiddlewares = {
      async *wrapModel(asked, ask) {
        if (parts === 0) throw new Error('broken');
        let count = 0;
        for await (const part of ask(asked)) {
          if (++count > parts) throw new Error('broken');
          yield part;
        }
      },
    };
    expect(await textOf(model, [breaking])).toEqual({ said: 'abc', failedIn: ['wrapModel'] });
    expect(requests).toHaveLength(1);
  });

  it('fails with its own error inside a middleware', async () => {
    const broken = new Error('model is away');
    const { model } = modelOf(text('a'), broken);
    await expect(textOf(model, [{ wrapModel: (asked, ask) => shouting(ask(asked)) }])).rejects.toBe(broken);
  });

  it('continues when beforeModel and afterModel throw, including the other plugins', async () => {
    const { model } = modelOf(text('a'), text('b'));
    const steps: string[] = [];
    const throwing: PluginMiddlewares = {
      beforeModel: () => {
        throw new Error('broken');
      },
      afterModel: async () => {
        throw new Error('broken');
      },
    };
    const watching: PluginMiddlewares = { afterModel: (step) => void steps.push(step.text) };
    expect(await textOf(model, [throwing, watching])).toEqual({
      said: 'ab',
      failedIn: ['beforeModel', 'afterModel'],
    });
    expect(steps).toEqual(['ab']);
  });

  it('ends with the notice for the user, after the last step with calls', async () => {
    const calling = modelOf({ type: 'tool_call', call: { name: 't', args: {} } }, text('a')).model;
    const notices = ['Please authorise.'];
    expect((await textOf(calling, [], notices)).said).toBe('a');
    expect((await textOf(modelOf(text('b')).model, [], notices)).said).toBe('b\n\nPlease authorise.');
    expect((await textOf(modelOf(text('c')).model, [], notices)).said).toBe('c');
  });

  it.each<[string, PluginMiddlewares]>([
    ['beforeModel', { beforeModel: () => Promise.reject(new Error('broken')) }],
    ['wrapModel', { wrapModel: () => failing() }],
    ['afterModel', { afterModel: () => Promise.reject(new Error('broken')) }],
  ])('fails when a failClosed middleware fails in %s, and hides the reason', async (_where, middlewares) => {
    const { model } = modelOf(text('a'));
    const failed = textOf(model, [middlewares], [], true);
    await expect(failed).rejects.toMatchObject({ name: 'ModelError', detail: 'A safeguard of this service failed.' });
  });

  it('yields nothing that a failClosed middleware held back', async () => {
    const { model } = modelOf(text('secret'));
    const seen: ModelPart[] = [];
    const holding: PluginMiddlewares = {
      async *wrapModel(asked, ask) {
        for await (const part of ask(asked)) if (part.type === 'usage') yield part;
        throw new Error('broken');
      },
    };
    const report = vi.fn<() => void>();
    const wraps = [{ plugin: 'tested', middlewares: holding, context: {} as RuntimeContext, failClosed: true, report }];
    const around = withMiddlewares(model, wraps, () => []);
    const read = async () => {
      for await (const part of around.stream(request, new AbortController().signal)) seen.push(part);
    };
    await expect(read()).rejects.toThrow('safeguard');
    expect(seen).toEqual([]);
    expect(report).toHaveBeenCalledOnce();
  });

  it('fails with its own error when a middleware replaces the error', async () => {
    const broken = new Error('model is away');
    const { model } = modelOf(text('a'), broken);
    const renaming: PluginMiddlewares = {
      async *wrapModel(asked, ask) {
        try {
          yield* ask(asked);
        } catch {
          throw new Error('something went wrong');
        }
      },
    };
    await expect(textOf(model, [renaming])).rejects.toBe(broken);
  });
});
