import type { AddressAllowances } from '../../address-allowances.js';
import type { Realtime } from '../../realtime/realtime.js';

/** What the two ways in to the hub have in common. */
export interface DoorDeps {
  readonly realtime: Realtime;
  readonly corsOrigins: readonly string[];
  readonly newId: () => string;
  /** Each handshake takes one of its address, before anything it shows is looked at. */
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly trustProxy: string[] | false;
  readonly sockets: SocketTimes;
}

export interface SocketTimes {
  /** Pause between two pings. */
  readonly pingIntervalMs: number;
  /** A client that does not answer a ping for so long is gone. */
  readonly pingTimeoutMs: number;
  /** How long a connection may take to say who it is. */
  readonly authTimeoutMs: number;
  /** Connections of one door, those that have not said who they are included. */
  readonly connections: number;
  /** What may wait for a client that reads slowly, in bytes; beyond that it is cut off. */
  readonly waitingBytes: number;
}

export const socketIoPath = '/socket.io/';
