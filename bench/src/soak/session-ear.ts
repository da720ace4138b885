import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import type { Door } from './door.js';
import type { OracleUser } from './oracle-user.js';

/** What a session says that has to be heard once: that a run goes, and that it is over. */
const heardOnce = new Set(['run_status', 'message_cache_invalidation']);

/** A plain WebSocket of a session, opened again whenever it is closed. */
export class SessionEar {
  /** How often each event was heard on one connection. */
  readonly #heard = new Map<string, number>();
  #socket: WebSocket | undefined;
  #isClosed = false;
  /** Since when it has been connected, by `performance.now()`; undefined while it is not. */
  connectedSinceMs: number | undefined;

  static async open(user: OracleUser, door: Door, sessionId: string): Promise<SessionEar> {
    const ear = new SessionEar();
    void ear.#listen(user, door, sessionId);
    const untilMs = performance.now() + 10_000;
    while (ear.connectedSinceMs === undefined && performance.now() < untilMs) await sleep(20);
    return ear;
  }

  timesHeard(event: string, requestId: string): number {
    return this.#heard.get(`${event} ${requestId}`) ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  async #listen(user: OracleUser, door: Door, sessionId: string): Promise<void> {
    for (let attempt = 1; !this.#isClosed; attempt++) {
      if (await this.#connected(`${door.url.replace('http', 'ws')}/ws?sessionId=${sessionId}`, await user.token()))
        attempt = 0;
      if (this.#isClosed) return;
      door.refused('socket lost');
      door.turnToOther();
      await door.pause(attempt);
    }
  }

  /** Resolves when the connection has ended, with whether it was let in. */
  #connected(url: string, invocation: string): Promise<boolean> {
    const socket = new WebSocket(url);
    this.#socket = socket;
    return new Promise((resolve) => {
      let wasIn = false;
      socket.addEventListener('open', () => socket.send(JSON.stringify({ invocation })));
      socket.addEventListener('message', ({ data }) => {
        const { event, data: said } = JSON.parse(String(data)) as { event: string; data: Record<string, unknown> };
        if (event === 'connected') {
          wasIn = true;
          this.connectedSinceMs = performance.now();
        }
        if (!heardOnce.has(event)) return;
        const key = `${event} ${String(said['requestId'])}`;
        this.#heard.set(key, (this.#heard.get(key) ?? 0) + 1);
      });
      const over = () => {
        this.connectedSinceMs = undefined;
        resolve(wasIn);
      };
      socket.addEventListener('close', over);
      socket.addEventListener('error', over);
    });
  }
}
