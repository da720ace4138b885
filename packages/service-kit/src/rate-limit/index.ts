export { type LocalCeilingOptions, withLocalCeiling } from './local-ceiling.js';
export { type MemoryRateLimitOptions, memoryRateLimitStore } from './memory-rate-limit-store.js';
export type { RateLimitHit, RateLimitStore } from './rate-limit-store.js';
export {
  type Allowance,
  type AllowanceOptions,
  allowance,
  type ReturnableAllowance,
  type Taken,
} from './rate-limit-store.js';
export { type RedisRateLimitOptions, redisRateLimitStore, serviceRateLimitStore } from './redis-rate-limit-store.js';
