import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface MovingAddress {
  /** As the first server's, but for host and port. */
  readonly url: string;
  /** Leads to another server from now on, and drops who is connected, as an address that moves between machines does. */
  readonly moveTo: (url: string) => void;
  readonly close: () => void;
}

/** One address in front of a server, that can be made to lead to another one. */
export async function openMovingAddress(first: string): Promise<MovingAddress> {
  let target = new URL(first);
  const open = new Set<Socket>();
  const server = createServer((caller) => {
    const there = connect({ host: target.hostname, port: Number(target.port) });
    for (const [one, other] of [
      [caller, there],
      [there, caller],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dropAll = () => {
    for (const socket of open) socket.destroy();
  };
  const url = new URL(first);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    moveTo: (other) => {
      target = new URL(other);
      dropAll();
    },
    close: () => {
      server.close();
      dropAll();
    },
  };
}
