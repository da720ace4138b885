import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import type { Realtime } from '../sockets/realtime.js';
import type { Stores } from './open-stores.js';

/** What both the plugins and the turns of a process stand on. */
export interface ProcessParts {
  readonly oracle: OracleIdentity;
  readonly stores: Stores;
  readonly realtime: Realtime;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}
