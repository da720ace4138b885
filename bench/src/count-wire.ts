import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a store that counts requests. */
export interface CountingProxy {
  /** The store's URL with the port of the proxy. */
  readonly url: string;
  /** Requests since the last call: texts of statements, or one entry for each write to a socket. */
  take(): string[];
  close(): void;
}

/** Counts statements that Postgres executes, including begin and commit, by their texts. */
export function countStatements(url: string): Promise<CountingProxy> {
  return countOn(url, readStatements);
}

/** Counts round trips to Redis: writes to a socket, however many commands each holds. */
export function countTrips(url: string): Promise<CountingProxy> {
  return countOn(url, (report) => (chunk) => report(namesOf(chunk)));
}

type Reader = (report: (request: string) => void) => (chunk: Buffer) => void;

async function countOn(url: string, reader: Reader): Promise<CountingProxy> {
  const { port, hostname } = new URL(url);
  const counted: string[] = [];
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    const read = reader((request) => void counted.push(request));
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
  const proxied = new URL(url);
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    take: () => counted.splice(0),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Reads the statements a Postgres client executes; a prepared one by the text it was prepared with. */
function readStatements(report: (text: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  let bound = '';
  return messagesOf((kind, body) => {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2);
    if (kind === 'P') texts.set(first, second);
    else if (kind === 'B') bound = second;
    else if (kind === 'E') report(texts.get(bound) ?? bound);
    else if (kind === 'Q') report(first);
  });
}

/** Splits the stream into messages: a type letter, a length and a body; the first has no letter. */
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

/** Names of the commands in one write. */
function namesOf(chunk: Buffer): string {
  return [...chunk.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n([a-z]+)\r\n/gi)].map(([, name]) => name).join(' ');
}
