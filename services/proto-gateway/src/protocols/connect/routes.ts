import type { IncomingMessage } from 'node:http';

type ProtocolRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** `/pkg.Service/Method`. A service without a package is one segment, as an ordinary route may have. */
const RPC_PATH = /^\/[\w.]+\/\w+(?:\?|$)/;
const RPC_PATH_WITH_PACKAGE = /^\/\w+\.[\w.]+\/\w+(?:\?|$)/;

/** Whether a request is a Connect stream. */
export function isConnectStream({ method, headers }: ProtocolRequest): boolean {
  return method === 'POST' && headers['content-type']?.toLowerCase().startsWith('application/connect+') === true;
}

/** Whether a request is a unary Connect call, by POST or GET. */
export function isConnectUnary({ method, url = '', headers }: ProtocolRequest): boolean {
  if (method === 'GET') return isConnectGet(url);
  return method === 'POST' && (headers['connect-protocol-version'] !== undefined || RPC_PATH_WITH_PACKAGE.test(url));
}

function isConnectGet(url: string): boolean {
  return RPC_PATH.test(url) && /[?&]encoding=/.test(url) && /[?&](?:message|connect)=/.test(url);
}
