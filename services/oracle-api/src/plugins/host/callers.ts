import type { RunStart } from '../../runs/log/store.js';
import { PluginError } from '../api/plugin-error.js';
import type { TurnObjects } from './turn-objects.js';

/** Somebody for whom a plugin works just now. */
export interface Caller {
  readonly did: string;
  /** The Matrix room of the session that the turn is in, if it has one. */
  readonly roomId?: string | undefined;
  /** The turn in which it does, if it is one. */
  readonly turn?: RunStart & { readonly modelId: string };
  /** What plugins ask the model of that turn for. */
  readonly objects?: TurnObjects;
}

/**
 * Users by what stands for them in what plugins are given: a request, or `rtCtx.user` of a turn. It is the object that counts:
 * what a plugin writes into it, or makes like it, changes nothing.
 */
export class Callers {
  readonly #known = new WeakMap<object, Caller>();

  add(whom: object, caller: Caller): void {
    this.#known.set(whom, caller);
  }

  /** From then on it stands for nobody. */
  drop(whom: object): void {
    this.#known.delete(whom);
  }

  /** @throws PluginError for what stands for nobody. */
  of(whom: object): Caller {
    const caller = this.#known.get(whom);
    if (caller === undefined) throw new PluginError('nobody was authenticated for this request');
    return caller;
  }
}
