import { z } from 'zod';
import { parseRedisUrl } from '../redis/redis-url.js';
import { certificates } from './certificates.js';
import type { EnvProblem } from './read-env.js';

const longestUrl = 4_096;

/** The variables of a service that may have a Redis. */
export const redisShape = {
  /** One server, a cluster, or sentinels. */
  REDIS_URL: z.string().max(longestUrl, 'must be at most 4096 characters').superRefine(checkUrl).optional(),
  /** Who signs the certificates of a Redis with TLS, as PEM; the authorities that come with Node.js unless given. */
  REDIS_CA: certificates(),
};

/** An authority that nobody asks for is a connection that somebody takes for a private one. */
export function redisCaRule(config: { REDIS_URL?: string | undefined; REDIS_CA?: string | undefined }): EnvProblem[] {
  const { REDIS_URL: url, REDIS_CA: ca } = config;
  if (ca === undefined || (url !== undefined && parseRedisUrl(url).isTls)) return [];
  return [
    {
      variable: 'REDIS_CA',
      message: 'is set, but REDIS_URL names no Redis with TLS (rediss://, rediss+cluster://, rediss+sentinel://)',
    },
  ];
}

function checkUrl(url: string, context: z.RefinementCtx): void {
  try {
    parseRedisUrl(url);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
}
