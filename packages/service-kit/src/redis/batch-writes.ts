import type { Redis } from 'ioredis';

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * Sends the commands of one event loop turn in one write. Under load the system calls cost more than the commands.
 */
export function batchWrites(client: Redis, turn: DeferredWork): void {
  const send = client.sendCommand.bind(client);
  let waiting: (string | Buffer)[] = [];
  const flush = () => {
    if (waiting.length === 0) return;
    const pieces = waiting;
    waiting = [];
    const { stream } = client;
    // On a closed stream the client itself rejects the queued commands.
    if (stream?.writable === true) stream.write(joined(pieces));
  };
  // Replaces the stream, as a pipeline of ioredis does: it receives each command in the order of the replies.
  const gathering = {
    write: (piece: string | Buffer) => {
      if (waiting.length === 0) turn.send(flush);
      waiting.push(piece);
      return true;
    },
  } as unknown as Stream;
  client.sendCommand = (command, stream) => {
    if (stream === undefined && client.status === 'ready') return send(command, gathering);
    // Pipelines and the connection handshake write themselves, after the queued commands.
    flush();
    const { stream: socket } = client;
    if (socket !== undefined) {
      socket.cork();
      turn.send(() => socket.uncork());
    }
    return send(command, stream);
  };
}

function joined(pieces: (string | Buffer)[]): string | Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

type Work = () => void;

/**
 * Work deferred to the end of an event loop turn: first the callbacks that issue commands, then the callbacks that write them, so
 * that the commands of one turn leave in one write.
 */
export class DeferredWork {
  readonly #issues: Work[] = [];
  #sends: Work[] = [];
  #isDue = false;

  issue(work: Work): void {
    this.#issues.push(work);
    this.#wait();
  }

  send(work: Work): void {
    this.#sends.push(work);
    this.#wait();
  }

  #wait(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    // A callback may add another one to the same turn.
    for (let work = this.#issues.shift(); work !== undefined; work = this.#issues.shift()) work();
    const sends = this.#sends;
    this.#sends = [];
    this.#isDue = false;
    for (const work of sends) work();
  }
}
