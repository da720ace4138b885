import type { IMessageComponent, IRunMoment } from '@mlango/oracle-client';

/** What one could see of an answer at some time. */
export interface RunSoFar {
  readonly reasoning: string;
  readonly text: string;
  /** Calls and cards, in the order in which they began, each as it was then. */
  readonly components: readonly IMessageComponent[];
}

/** A run after its first moments. Pure. */
export function runSoFar(moments: readonly IRunMoment[]): RunSoFar {
  const components = new Map<string, IMessageComponent>();
  let [reasoning, text] = ['', ''];
  for (const { event } of moments) {
    if (event.kind === 'restart') {
      [reasoning, text] = ['', ''];
      components.clear();
    }
    if (event.kind === 'reasoning') reasoning += event.text;
    if (event.kind === 'text') text += event.text;
    if (event.kind === 'component' || event.kind === 'failure') {
      components.set(`${event.component.kind} ${event.component.id}`, event.component);
    }
    if (event.kind === 'done') text = event.partialText || text;
  }
  return { reasoning, text, components: [...components.values()] };
}
