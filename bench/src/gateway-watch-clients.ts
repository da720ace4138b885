/** Opens watches over plain sockets, and tells its parent how many events they were sent and over how long. */
import { connect, type Socket } from 'node:net';

/** What the parent asks for, and what it is told. */
export type ToClients =
  | { readonly port: number; readonly paths: readonly string[]; readonly watches: number }
  | 'count';
export interface FromClients {
  /** Events since the last time. */
  readonly events: number;
  /** From the first of them to the last, in ms. */
  readonly overMs: number;
  /** Connections that ended. */
  readonly lost: number;
}

/** Connections that are being opened at the same time. */
const AT_ONCE = 200;
const EVENT = Buffer.from('\ndata: ');

let [events, first, last, lost] = [0, 0, 0, 0];
const sockets: Socket[] = [];

function countEvents(chunk: Buffer): void {
  for (let at = chunk.indexOf(EVENT); at >= 0; at = chunk.indexOf(EVENT, at + EVENT.length)) {
    last = performance.now();
    if (events === 0) first = last;
    events += 1;
  }
}

/** Resolves with the first event. */
function open(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`));
    sockets.push(socket);
    socket.once('error', reject);
    socket.once('close', () => {
      lost += 1;
    });
    socket.on('data', (chunk) => {
      countEvents(chunk);
      if (chunk.includes(EVENT)) resolve();
    });
  });
}

process.on('message', (asked: ToClients) => {
  if (asked !== 'count') {
    void openAll(asked);
    return;
  }
  const told: FromClients = { events, overMs: events === 0 ? 0 : last - first, lost };
  events = 0;
  process.send?.(told);
});

async function openAll({ port, paths, watches }: Exclude<ToClients, 'count'>): Promise<void> {
  for (let opened = 0; opened < watches; opened += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, watches - opened) }, (_, index) => opened + index);
    await Promise.all(some.map((index) => open(port, paths[index % paths.length] ?? '/')));
  }
  process.send?.('open');
}
