import type { IRunMoment, IRunUsage } from '@mlango/oracle-client';

export interface RunFigures {
  /** As the oracle has said; `running` as long as it has not. */
  readonly status: string;
  /** Id of the model that answered. */
  readonly model: string | undefined;
  /** Until the first word or thought. */
  readonly firstMs: number | undefined;
  /** Until what came last. */
  readonly wholeMs: number;
  readonly frames: number;
  /** Times that the model was asked, as far as one sees it: it speaks or thinks again once a call is over. */
  readonly steps: number;
  readonly calls: number;
  readonly usage: IRunUsage | undefined;
}

/** What of a run can be said in numbers. Pure. */
export function figuresOf(moments: readonly IRunMoment[]): RunFigures {
  const calls = new Set<string>();
  let [frames, steps, isAsked, firstMs] = [0, 0, false, undefined as number | undefined];
  let [status, usage] = ['running', undefined as IRunUsage | undefined];
  let model: string | undefined;
  for (const { atMs, frames: some, event } of moments) {
    frames += some;
    if (event.kind === 'restart') [steps, isAsked] = [0, false];
    if (event.kind === 'text' || event.kind === 'reasoning') {
      firstMs ??= atMs;
      if (!isAsked) steps += 1;
      isAsked = true;
    }
    if (event.kind === 'component' && event.component.kind !== 'render_component') {
      calls.add(event.component.id);
      // A model that says nothing and only calls was asked too.
      steps = Math.max(steps, 1);
      if (event.component.status !== 'isRunning') isAsked = false;
    }
    if (event.kind === 'done') ({ status, usage, model } = { usage, model, ...event });
  }
  return { status, model, firstMs, wholeMs: moments.at(-1)?.atMs ?? 0, frames, steps, calls: calls.size, usage };
}
