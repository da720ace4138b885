import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server on which what is sent there is counted. */
export interface CountedWay {
  /** The server's address with the way's port in it. */
  readonly url: string;
  /** What was sent since the last call: texts of statements, or one entry for each write of a socket. */
  take(): string[];
  close(): void;
}

/** Statements that Postgres is asked to execute, begin and commit of transactions among them, by their texts. */
export function countStatements(url: string): Promise<CountedWay> {
  return countOn(url, readStatements);
}

/** Round trips to a Redis: writes of a socket, however many commands are in one. Those that are flushed together are one. */
export function countTrips(url: string): Promise<CountedWay> {
  return countOn(url, (told) => (chunk) => told(namesOf(chunk)));
}

type Reader = (told: (what: string) => void) => (chunk: Buffer) => void;

async function countOn(url: string, reader: Reader): Promise<CountedWay> {
  const { port, hostname } = new URL(url);
  const counted: string[] = [];
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    const read = reader((what) => void counted.push(what));
    client.on('data', (chunk: Buffer) => {
      read(chunk);
      upstream.write(chunk);
    });
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return {
    url: way.href,
    take: () => counted.splice(0),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Reads which statements a client of Postgres has executed, prepared ones by the texts they were prepared with. */
function readStatements(told: (text: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  let bound = '';
  return messagesOf((kind, body) => {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (kind === 'P') texts.set(first, second);
    else if (kind === 'B') bound = second;
    else if (kind === 'E') told(texts.get(bound) ?? bound);
    else if (kind === 'Q') told(first);
  });
}

/** Cuts the stream into messages: a letter, a length and a body; the first has no letter. */
function messagesOf(take: (kind: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let letter = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= letter + 4) {
      const end = letter + rest.readUInt32BE(letter);
      if (rest.length < end) return;
      take(rest.toString('latin1', 0, letter), rest.subarray(letter + 4, end));
      rest = rest.subarray(end);
      letter = 1;
    }
  };
}

/** The commands in a write, for whoever wants to know what they were. */
function namesOf(chunk: Buffer): string {
  return [...chunk.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n([a-z]+)\r\n/gi)].map(([, name]) => name).join(' ');
}
