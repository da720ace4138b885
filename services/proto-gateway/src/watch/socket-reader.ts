import type { Permit } from '@mlango/async/fair-semaphore';
import type { GatewayWatchEvent } from '@mlango/schemas/proto-gateway';
import type { EventFrame } from './event.js';
import { Outbox } from './outbox.js';
import type { CloseReason, Reader, ReaderOptions } from './readers.js';
import type { Subscription } from './subscription.js';

/** The used part of a WebSocket. */
export interface ClientSocket {
  readonly readyState: number;
  readonly OPEN: number;
  readonly bufferedAmount: number;
  send(text: string, onSent: () => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'pong', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  removeAllListeners(event: 'message'): unknown;
}

export interface SocketReaderOptions extends ReaderOptions {
  /** Maximum time without progress or pong, in ms. */
  readonly stalledMs: number;
}

/** One watch of a socket. */
interface SocketSubscription {
  readonly watch: Subscription;
  readonly permit: Permit;
}

/** Bytes in flight to a reader before it counts as slow. */
const UNDER_WAY_BYTES = 64 * 1024;
/** Time for a client to complete the closing handshake, in ms. */
const CLOSE_HANDSHAKE_MS = 1000;

/** The events of all watches of one WebSocket. */
export class SocketReader implements Reader {
  readonly isAuthorised: Reader['isAuthorised'];
  /** By the ids the client chose. */
  readonly subscriptions = new Map<string, SocketSubscription>();
  readonly #socket: ClientSocket;
  readonly #options: SocketReaderOptions;
  readonly #outbox: Outbox<string>;
  #sentAt: number;
  #aliveAt: number;

  constructor(socket: ClientSocket, options: SocketReaderOptions) {
    this.#socket = socket;
    this.#options = options;
    this.isAuthorised = options.isAuthorised;
    this.#sentAt = options.now();
    this.#aliveAt = this.#sentAt;
    this.#outbox = new Outbox({
      takeRoom: ({ jsonFields }) => options.maySend() && options.budget.take(jsonFields.length),
      write: (frame, id) => {
        options.onEvent(frame);
        return this.#send(`{"id":${JSON.stringify(id)},${frame.jsonFields}}`, frame.jsonFields.length);
      },
      onSkip: options.onSkip,
    });
    socket.on('pong', () => this.#noteAlive());
    socket.once('close', () => this.#leaveAll());
  }

  /** The socket is closed or closing. */
  get isOver(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  offer(id: string, frame: EventFrame): void {
    this.#outbox.offer(id, frame);
  }

  /** Sends a message that is no event of a subscription, without queueing. */
  send(event: GatewayWatchEvent): void {
    this.#send(JSON.stringify(event), 0);
  }

  /** False where there is no such watch. */
  unsubscribe(id: string): boolean {
    const left = this.subscriptions.get(id);
    if (left === undefined || !this.subscriptions.delete(id)) return false;
    left.watch.leave();
    left.permit.release();
    this.#outbox.forget(id);
    return true;
  }

  tick(): void {
    const { now, heartbeatMs, stalledMs } = this.#options;
    if (now() - this.#aliveAt > stalledMs) {
      this.#socket.terminate();
      return;
    }
    this.#outbox.flush();
    if (!this.#outbox.isEmpty || now() - this.#sentAt < heartbeatMs) return;
    this.#socket.ping();
    const heights = [...this.subscriptions.values()].map(({ watch }) => watch.checkedAt());
    const known = heights.every((height) => height !== undefined) && heights.length > 0;
    this.send({ event: 'heartbeat', ...(known ? { height: String(Math.min(...heights)) } : {}) });
  }

  end(why: CloseReason): void {
    this.send({ event: 'status', data: { state: why } });
    this.#leaveAll();
    this.#socket.removeAllListeners('message');
    this.#socket.close(why === 'closing' ? 1001 : 1008, why);
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_HANDSHAKE_MS).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** True: there is room for more at once. */
  #send(text: string, heldBytes: number): boolean {
    const { budget, now } = this.#options;
    this.#sentAt = now();
    this.#socket.send(text, () => {
      budget.give(heldBytes);
      this.#noteAlive();
      if (this.#socket.bufferedAmount < UNDER_WAY_BYTES) this.#outbox.drained();
    });
    return this.#socket.bufferedAmount < UNDER_WAY_BYTES;
  }

  /** The client is alive and reads. */
  #noteAlive(): void {
    this.#aliveAt = this.#options.now();
  }

  #leaveAll(): void {
    for (const id of Array.from(this.subscriptions.keys())) this.unsubscribe(id);
  }
}
