import { jsonError } from '@mlango/schemas/errors';
import { operatorOnly } from '@mlango/service-kit/operator-access';
import type { Config } from '../config.js';

/** What all routes for operators have in common. Their guard stands after the rate limit, so that guesses at the token are limited too. */
export function forOperators({ OPERATOR_TOKEN: token, NODE_ENV }: Config) {
  return {
    preHandler: operatorOnly({ token, open: NODE_ENV !== 'production' }),
    described: { tags: ['operators'], security: [{ operator: [] }] },
    failures: { 401: jsonError, 429: jsonError, 500: jsonError, 503: jsonError },
  };
}

export type ForOperators = ReturnType<typeof forOperators>;
