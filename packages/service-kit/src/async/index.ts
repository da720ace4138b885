export {
  FairSemaphore,
  type FairSemaphoreOptions,
  type Holders,
  type Permit,
  SemaphoreFullError,
} from '@mlango/outbound/fair-semaphore';
// The holder of a share by address. Plugins use it without the HTTP parts.
export { addressKey } from '../http/client-address.js';
export { admit, poolFull } from './admit.js';
export { type Background, intervalLoop } from './interval-loop.js';
export { semaphoreMetrics } from './semaphore-metrics.js';
