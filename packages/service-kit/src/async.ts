export { admit, poolFull } from './async/admit.js';
export {
  FairSemaphore,
  type FairSemaphoreOptions,
  type Holders,
  type Permit,
  SemaphoreFullError,
} from './async/fair-semaphore.js';
export { semaphoreMetrics } from './async/semaphore-metrics.js';
export { addressKey } from './http/address-key.js';
