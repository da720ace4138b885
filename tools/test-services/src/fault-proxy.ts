import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Random } from './random.js';

/**
 * - `forward`: passes bytes on.
 * - `silent`: reads bytes and drops them, without FIN or RST.
 * - `unread`: does not read from the client; bytes of the server are passed on.
 * - `lossy`: passes bytes on in order, some of them late, as TCP does on a network that loses packets.
 */
type Mode = 'forward' | 'silent' | 'unread' | 'lossy';

export interface FaultProxy {
  readonly port: number;
  /** How many connections were made to it. */
  readonly accepted: () => number;
  /** Chunks that were delayed. */
  readonly delayed: () => number;
  /** Open connections stay silent. With `all` new ones are accepted and are silent, too, until `heal`. */
  silence(which: 'open' | 'all'): void;
  /** Stops reading from clients, on all connections, until `heal`. */
  stopReading(): void;
  /** Delays chunks on all connections until `heal`. */
  lose(): void;
  /** Ends all connections with RST. */
  reset(): void;
  /** Ends all connections with RST, and each new one until `heal`. */
  refuse(): void;
  /** Sends FIN to all clients, and drops their bytes from then on. */
  halfClose(): void;
  /** Forwards bytes of new connections, and of those that dropped none. */
  heal(): void;
  /** Connects new connections to another server on 127.0.0.1 from now on, as if the address moved between machines. */
  moveTo(serverPort: number): void;
  readonly close: () => Promise<void>;
}

/** The share of chunks that are late in mode `lossy`, and the first delay, which doubles each time: as the retransmissions of TCP. */
const LOSS = { share: 0.3, firstDelayMs: 200, lastDelayMs: 1600 };

/**
 * A TCP proxy on one address that can simulate network failures.
 *
 * @param serverPort of the server on 127.0.0.1
 * @param at the listening address; default: a free port of 127.0.0.1
 */
export async function startFaultProxy(
  serverPort: number,
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<FaultProxy> {
  const links = new Set<Link>();
  const random = new Random(serverPort);
  let arriving: Mode | 'refuse' = 'forward';
  let accepted = 0;
  let delayed = 0;
  const onDelay = () => (delayed += 1);
  let target = serverPort;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    accepted += 1;
    if (arriving === 'refuse') {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }), random, onDelay);
    link.mode = arriving;
    links.add(link);
    client.once('close', () => links.delete(link));
  });
  server.listen(at.port ?? 0, at.host ?? '127.0.0.1');
  await once(server, 'listening');

  const set = (mode: Mode): void => {
    for (const link of links) link.mode = mode;
  };
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    delayed: () => delayed,
    silence(which) {
      set('silent');
      if (which === 'all') arriving = 'silent';
    },
    stopReading() {
      set('unread');
      arriving = 'unread';
    },
    lose() {
      set('lossy');
      arriving = 'lossy';
    },
    reset() {
      for (const link of links) link.reset();
    },
    refuse() {
      arriving = 'refuse';
      for (const link of links) link.reset();
    },
    halfClose() {
      for (const link of links) link.halfClose();
    },
    heal() {
      arriving = 'forward';
      for (const link of links) if (link.mode !== 'silent') link.mode = 'forward';
    },
    moveTo(other) {
      target = other;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const link of links) link.reset();
      await closed;
    },
  };
}

/** One connection of a client, and that to the server. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #random: Random;
  readonly #onDelay: () => void;
  #mode: Mode = 'forward';

  constructor(client: Socket, server: Socket, random: Random, onDelay: () => void) {
    this.#client = client;
    this.#server = server;
    this.#random = random;
    this.#onDelay = onDelay;
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    this.#pass(client, server);
    this.#pass(server, client);
  }

  get mode(): Mode {
    return this.#mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
    if (mode === 'unread') this.#client.pause();
    else this.#client.resume();
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#server.destroy();
  }

  halfClose(): void {
    this.#mode = 'silent';
    this.#client.end();
    this.#server.destroy();
  }

  /** Forwards the bytes of one side, including its end. */
  #pass(from: Socket, to: Socket): void {
    /** Settles when all earlier bytes have been forwarded, in mode `lossy`. */
    let passed: Promise<void> | undefined;
    const inOrder = (pass: () => void): void => {
      if (this.#mode !== 'lossy' && passed === undefined) {
        pass();
        return;
      }
      const turn = (passed ?? Promise.resolve())
        .then(() => this.#delay())
        .then(() => {
          pass();
          if (passed === turn) passed = undefined;
        });
      passed = turn;
    };
    from.on('data', (bytes) =>
      inOrder(() => {
        if (this.#mode === 'silent' || to.destroyed || to.write(bytes)) return;
        from.pause();
        to.once('drain', () => (from === this.#server || this.#mode !== 'unread') && from.resume());
      }),
    );
    from.on('end', () => inOrder(() => this.#mode !== 'silent' && to.end()));
    from.on('close', () => {
      if (from === this.#client) to.destroy();
      else if (this.#mode !== 'silent') inOrder(() => to.end());
    });
  }

  /** No delay for most chunks. */
  async #delay(): Promise<void> {
    if (this.#mode !== 'lossy') return;
    let delayMs = 0;
    for (let next = LOSS.firstDelayMs; next <= LOSS.lastDelayMs && this.#random.chance(LOSS.share); next *= 2) {
      delayMs += next;
    }
    if (delayMs === 0) return;
    this.#onDelay();
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}
