export {
  FairSemaphore,
  type FairSemaphoreOptions,
  type Holders,
  type Permit,
  SemaphoreFullError,
} from '@mlango/outbound/fair-semaphore';
export { admit, poolFull } from './async/admit.js';
export { semaphoreMetrics } from './async/semaphore-metrics.js';
// The holder of a share by address. Plugins use it without the HTTP parts.
export { addressKey } from './http/address-key.js';
