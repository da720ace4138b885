import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';

export const doors = ['ussd', 'oracle', 'chain', 'playground'] as const;
export type Door = (typeof doors)[number];

/** The addresses of each service's replicas, `host:port`: the first and the second of the shipped files. */
export type Upstreams = Readonly<Record<Door, readonly [first: string, second: string]>>;

/** The addresses that the shipped files name. */
const shippedUpstreams: Upstreams = {
  ussd: ['127.0.0.1:3000', '127.0.0.1:3010'],
  oracle: ['127.0.0.1:3001', '127.0.0.1:3011'],
  chain: ['127.0.0.1:3002', '127.0.0.1:3012'],
  // The page has one replica.
  playground: ['127.0.0.1:3003', '127.0.0.1:3003'],
};

/** A shipped list of replicas, with changed addresses only. */
export function movedUpstreams(text: string, upstreams: Upstreams): string {
  const moves = new Map(
    doors.flatMap((door) => shippedUpstreams[door].map((from, index) => [from, upstreams[door][index] ?? from])),
  );
  for (const from of moves.keys()) if (!text.includes(from)) throw new Error(`${from} is no longer among the replicas`);
  return text.replaceAll(/127\.0\.0\.1:\d+/g, (from) => moves.get(from) ?? from);
}

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

/** An unnormalised request: the path is sent byte for byte, while `fetch` would normalise it. */
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

/** The `http.request` options for a service. */
export function target(proxy: RunningProxy, door: Door, path: string, options: RequestOptions = {}): RequestOptions {
  const headers = { host: hostOf(door), ...(options.headers as Record<string, string> | undefined) };
  return { host: '127.0.0.1', port: proxy.port, path, headers, agent: false };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}
