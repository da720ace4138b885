export {
  type Allowance,
  type AllowanceOptions,
  allowance,
  type ReturnableAllowance,
  type Taken,
} from './rate-limit/allowance.js';
export { type LocalCeilingOptions, withLocalCeiling } from './rate-limit/local-ceiling.js';
export { type MemoryRateLimitOptions, memoryRateLimitStore } from './rate-limit/memory-rate-limit-store.js';
export type { RateLimitHit, RateLimitStore } from './rate-limit/rate-limit-store.js';
export { type RedisRateLimitOptions, redisRateLimitStore } from './rate-limit/redis-rate-limit-store.js';
export { serviceRateLimitStore } from './rate-limit/service-rate-limit-store.js';
