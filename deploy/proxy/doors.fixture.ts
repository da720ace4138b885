import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

export const doors = ['ussd', 'oracle', 'chain', 'playground'] as const;
export type Door = (typeof doors)[number];

/** Where each door's upstream listens, `host:port`. */
export type Upstreams = Readonly<Record<Door, string>>;

/** A reverse proxy of this folder, running. */
export interface RunningProxy {
  readonly port: number;
  /** Everything it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export const hostOf = (door: Door): string => `${door}.example.org`;

/** A request as it is: the path is sent byte for byte, which `fetch` would tidy up first. */
export function ask(proxy: RunningProxy, door: Door, path: string, options: RequestOptions & { body?: string } = {}) {
  return new Promise<Reply>((resolve, reject) => {
    const { body, ...rest } = options;
    const call = request({ ...rest, ...target(proxy, door, path, options) }, (response) => {
      readAll(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        reject,
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Everything `http.request` needs to reach a door. */
export function target(proxy: RunningProxy, door: Door, path: string, options: RequestOptions = {}): RequestOptions {
  const headers = { host: hostOf(door), ...(options.headers as Record<string, string> | undefined) };
  return { host: '127.0.0.1', port: proxy.port, path, headers, agent: false };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
