import type { IncomingMessage } from 'node:http';

export const TONGUES = ['grpc-web', 'connect', 'connect-stream'] as const;

/** Another protocol for the same rpcs. Connect has one form for single messages and one for streams. */
export type TongueName = (typeof TONGUES)[number];

/** `/pkg.Service/Method`. A service without a package is one segment like that of any route. */
const RPC_PATH = /^\/[\w.]+\/\w+(?:\?|$)/;
const RPC_PATH_WITH_PACKAGE = /^\/\w+\.[\w.]+\/\w+(?:\?|$)/;

/** The tongue of a request, by its first lines alone; `undefined` for one to a route. */
export function spokenTongue(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): TongueName | undefined {
  const { method, url = '', headers } = request;
  if (method === 'GET') return isConnectGet(url) ? 'connect' : undefined;
  if (method !== 'POST') return undefined;
  const type = headers['content-type']?.toLowerCase() ?? '';
  if (type.startsWith('application/grpc-web')) return 'grpc-web';
  if (type.startsWith('application/connect+')) return 'connect-stream';
  const isConnect = headers['connect-protocol-version'] !== undefined || RPC_PATH_WITH_PACKAGE.test(url);
  return isConnect ? 'connect' : undefined;
}

function isConnectGet(url: string): boolean {
  return RPC_PATH.test(url) && /[?&]encoding=/.test(url) && /[?&](?:message|connect)=/.test(url);
}
