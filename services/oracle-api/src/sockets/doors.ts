import type { AddressAllowances } from '../address-allowances.js';
import type { socketTimes } from '../limits.js';
import type { Realtime } from '../realtime/realtime.js';
import type { SharedPools } from '../shared-pools.js';

/** What the two ways in to the hub have in common. */
export interface DoorDeps {
  readonly realtime: Realtime;
  readonly corsOrigins: readonly string[];
  readonly newId: () => string;
  /** Each handshake takes one of its address, before anything it shows is looked at. */
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly trustProxy: string[] | false;
  readonly sockets: Readonly<typeof socketTimes>;
  readonly pools: Pick<SharedPools, 'connections'>;
}

export const socketIoPath = '/socket.io/';
