import type { Redis } from 'ioredis';

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * Has the commands of one turn of the event loop leave in one write, and so mostly come back in one read. Under load the
 * system calls, and what a stream does for each piece that it is given, cost more than the commands.
 */
export function batchWrites(client: Redis, turn: EndOfTurn): void {
  const send = client.sendCommand.bind(client);
  let waiting: (string | Buffer)[] = [];
  const flush = () => {
    if (waiting.length === 0) return;
    const pieces = waiting;
    waiting = [];
    const { stream } = client;
    // What is not sent any more is told so by the client, which knows of it.
    if (stream?.writable === true) stream.write(joined(pieces));
  };
  // As a pipeline of the client's is: it is given the text of each command, in the order in which replies are waited for.
  const gathering = {
    write: (piece: string | Buffer) => {
      if (waiting.length === 0) turn.send(flush);
      waiting.push(piece);
      return true;
    },
  } as unknown as Stream;
  client.sendCommand = (command, stream) => {
    if (stream === undefined && client.status === 'ready') return send(command, gathering);
    // A pipeline writes for itself, and so does a connection that is being set up; after all that was asked for before.
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
 * What is put off to the end of a turn of the event loop: first all that asks for something, then all that sends what was asked for, so that
 * it leaves together. What is asked for alone leaves as soon as before.
 */
export class EndOfTurn {
  readonly #asks: Work[] = [];
  #sends: Work[] = [];
  #isDue = false;

  ask(work: Work): void {
    this.#asks.push(work);
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
    // What is asked for while others ask is of the same turn.
    for (let work = this.#asks.shift(); work !== undefined; work = this.#asks.shift()) work();
    const sends = this.#sends;
    this.#sends = [];
    this.#isDue = false;
    for (const work of sends) work();
  }
}
