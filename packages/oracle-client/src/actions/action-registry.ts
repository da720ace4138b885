import type { ReactNode } from 'react';
import type { ToolSchema } from './tool-schema.js';

export type ActionStatus = 'isRunning' | 'done' | 'error';

export interface ActionRenderProps<Args = Record<string, unknown>> {
  readonly status: ActionStatus;
  readonly args: Args;
  /** What the handler gave, once the status is `done`. */
  readonly result?: unknown;
  readonly error?: string;
}

/** An action of the page as the registry keeps it: whatever its schema, the arguments were checked by it. */
export interface RegisteredAction {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolSchema;
  readonly handler: (args: never) => unknown;
  readonly render?: (props: ActionRenderProps<never>) => ReactNode;
}

/** The actions that the mounted page offers, by name. Of two of one name the one that came last counts. */
export class ActionRegistry {
  readonly #stacks = new Map<string, { readonly latest: () => RegisteredAction }[]>();
  readonly #listeners = new Set<() => void>();
  #version = 0;

  /** @param latest gives the action as it was rendered last. */
  add(name: string, latest: () => RegisteredAction): () => void {
    const entry = { latest };
    this.#stacks.set(name, [...(this.#stacks.get(name) ?? []), entry]);
    this.changed();
    return () => {
      const left = (this.#stacks.get(name) ?? []).filter((each) => each !== entry);
      if (left.length === 0) this.#stacks.delete(name);
      else this.#stacks.set(name, left);
      this.changed();
    };
  }

  find(name: string): RegisteredAction | undefined {
    return this.#stacks.get(name)?.at(-1)?.latest();
  }

  list(): RegisteredAction[] {
    return [...this.#stacks.keys()].flatMap((name) => this.find(name) ?? []);
  }

  /** Tells whoever shows something of an action that it looks different now. */
  changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  /** Changes with each change of an action. */
  readonly version = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
