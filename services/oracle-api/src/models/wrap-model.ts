import type { LanguageModel } from './language-model.js';
import { untilAborted } from './until-aborted.js';

/** Puts something around a model: what is asked of it, and what it says, goes through it. */
export type Wrap = (model: LanguageModel) => LanguageModel;

/** What may stand around a model. */
export interface Wraps {
  /** Nothing of the model shows once the signal aborts, whether it heeds that or not. */
  readonly cutOffAtAbort?: boolean;
  /** What the oracle asks of itself is counted, all tries together (`turns/after/count-tokens`). */
  readonly count?: Wrap | undefined;
  /** What plugins put around the model in a turn (`plugin-host/around-model`). They see each step once, and no second try. */
  readonly plugins?: Wrap | undefined;
  /** Calls take places of a pool, by user and by address (`share-model`). A place is held over all tries. */
  readonly share?: Wrap | undefined;
  /** A second try, as long as nothing was said (`retry-before-answer`). */
  readonly retry?: Wrap | undefined;
  /** Another model answers in place of one that failed before it said anything (`fallback`). Each try asks all of them. */
  readonly fallback?: Wrap | undefined;
  /** A model that says nothing for too long is given up (`limit-silence`): then another try may begin. */
  readonly silence?: Wrap | undefined;
}

/** A model with what stands around it: the first of the list is the outermost. */
export function wrapModel(model: LanguageModel, wraps: Wraps): LanguageModel {
  const { cutOffAtAbort, count, plugins, share, retry, fallback, silence } = wraps;
  const fromOutside = [cutOffAtAbort === true ? cutOff : undefined, count, plugins, share, retry, fallback, silence];
  return fromOutside.reduceRight((inner, wrap) => wrap?.(inner) ?? inner, model);
}

function cutOff(model: LanguageModel): LanguageModel {
  return { ...model, stream: (request, signal) => untilAborted(model.stream(request, signal), signal) };
}
