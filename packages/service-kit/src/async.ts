export { admit, poolFull } from './async/admit.js';
export { FairSemaphore, type Holders, type Permit, SemaphoreFullError } from './async/fair-semaphore.js';
export { semaphoreMetrics } from './async/semaphore-metrics.js';
