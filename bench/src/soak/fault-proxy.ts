import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Luck } from './luck.js';

/** What a network does to what passes. */
export type Weather =
  | { readonly kind: 'clear' }
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'blackHole' }
  /** Of the pieces that pass, so many wait for a packet to be sent again, and so many find their connection reset. */
  | { readonly kind: 'loss'; readonly stalls: number; readonly resets: number };

const clear: Weather = { kind: 'clear' };
/** How long TCP waits until it sends a packet again, the first few times. */
const resendMs = [200, 400, 800, 1600];

/**
 * Stands between two processes and passes their bytes on, in their order, as the weather has it. What a black hole has swallowed arrives
 * when it is over, as TCP would send it again, where somebody still waits for it.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #luck: Luck;
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #weather: Weather = clear;

  private constructor(target: number, luck: Luck) {
    this.#target = target;
    this.#luck = luck;
    this.#server = createServer((client) => this.#join(client));
  }

  /** @param port of the server behind it */
  static async open(port: number, luck: Luck): Promise<FaultProxy> {
    const proxy = new FaultProxy(port, luck);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed');
    return address.port;
  }

  /** How many connections it holds, of both sides. */
  get connections(): number {
    return this.#sockets.size;
  }

  set(weather: Weather): void {
    this.#weather = weather;
    this.#changes.emit('change');
    if (weather.kind === 'cut') this.#resetAll();
  }

  clear(): void {
    this.set(clear);
  }

  async close(): Promise<void> {
    this.clear();
    this.#resetAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #resetAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #join(client: Socket): void {
    if (this.#weather.kind === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    }
    void this.#pump(client, server);
    void this.#pump(server, client);
  }

  /** Passes on what one side says, its end and its breaking too. */
  async #pump(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        await this.#passing(piece.length, to);
        if (!to.write(piece) && !to.destroyed) await drained(to);
      }
      await this.#passing(0, to);
      to.end();
    } catch {
      // A side that is gone is gone for the other one too, as soon as word of it gets through.
      await this.#passing(0, to);
      to.resetAndDestroy();
    }
  }

  /** Resolves when a piece of so many bytes may arrive. */
  async #passing(bytes: number, to: Socket): Promise<void> {
    while (this.#weather.kind === 'blackHole') await once(this.#changes, 'change');
    const weather = this.#weather;
    if (weather.kind === 'latency') await this.#orChange(weather.ms);
    if (weather.kind === 'throttle') await this.#orChange((bytes / weather.bytesPerSecond) * 1000);
    if (weather.kind !== 'loss' || bytes === 0) return;
    if (this.#luck.chance(weather.resets)) to.resetAndDestroy();
    else if (this.#luck.chance(weather.stalls)) await this.#orChange(this.#luck.pick(resendMs));
  }

  async #orChange(ms: number): Promise<void> {
    const race = new AbortController();
    const { signal } = race;
    const either = [sleep(ms, undefined, { signal }), once(this.#changes, 'change', { signal })];
    // The one that loses the race rejects when it is called off.
    for (const each of either) each.catch(() => undefined);
    await Promise.race(either);
    race.abort();
  }
}

function drained(stream: Duplex): Promise<unknown> {
  return Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
}
