import type { LanguageModel, ModelPart, ModelRequest } from './language-model.js';

/** A step of a scripted model: a piece of text, a promise to wait for, or an error to throw. */
export type Step = string | Promise<unknown> | Error;

/** A model with scripted steps, which records its requests. It ignores its signal. */
export function scriptedModel(steps: readonly Step[] | ((request: ModelRequest) => readonly Step[])) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    id: 'scripted',
    label: 'Scripted',
    async *stream(request): AsyncIterable<ModelPart> {
      requests.push(request);
      for (const step of typeof steps === 'function' ? steps(request) : steps) {
        if (step instanceof Error) throw step;
        if (step instanceof Promise) await step;
        else yield { type: 'text', delta: step };
      }
    },
  };
  return { model, requests };
}

/** A promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
