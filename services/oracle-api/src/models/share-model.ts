import { SemaphoreFullError } from '@mlango/async/fair-semaphore';
import type { SharedPools } from '../shared-pools.js';
import type { LanguageModel, ModelPart, ModelRequest } from './language-model.js';
import { ModelError } from './model-error.js';

const tooMany = {
  user: 'Too many of your messages are being answered. Please wait for one of them.',
  others: 'Too many messages are being answered. Please send this one again shortly.',
};

/**
 * Wraps a model so that calls take a permit of a pool: by user and by the address that the message came from. Models of one endpoint
 * share a pool. A call over a share waits, up to a limit. A call without a user is the operator's own and takes no permit.
 */
export function shareModel(model: LanguageModel, pool: SharedPools['modelCalls']): LanguageModel {
  return { ...model, stream: (request, signal) => streamInPool(model, pool, request, signal) };
}

async function* streamInPool(
  model: LanguageModel,
  pool: SharedPools['modelCalls'],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  const { userId, address } = request;
  if (userId === undefined) return yield* model.stream(request, signal);
  // Without an address, the turn was resumed by this process, or a plugin started it for a user of the plugin.
  const permit = await pool
    .acquire({ user: userId, address: address ?? userId }, { signal })
    .catch((cause: unknown) => {
      if (!(cause instanceof SemaphoreFullError)) throw cause;
      throw new ModelError('rate_limit', cause.limit === 'user' ? tooMany.user : tooMany.others, { retryable: true });
    });
  try {
    yield* model.stream(request, signal);
  } finally {
    permit.release();
  }
}
