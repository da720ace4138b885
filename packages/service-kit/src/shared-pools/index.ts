// The holder of a share by address. Plugins use it without the HTTP parts.
export { addressKey } from '../http/client-address.js';
export { admit, poolFull } from './admit.js';
export { semaphoreMetrics } from './semaphore-metrics.js';
