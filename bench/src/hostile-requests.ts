/** Bytes of requests that mean harm, each a whole request of HTTP/1.1. */
export interface HostileRequest {
  readonly name: string;
  readonly bytes: Buffer;
  /** The caller never reads what it is answered. */
  readonly neverReads?: boolean;
}

const LIMIT = 15_000;

function get(path: string, headers = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`, 'latin1');
}

function post(path: string, type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

const filled = (text: string, length = LIMIT): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
/** Names that are all different. */
const names = (length: number): string =>
  Array.from({ length: length / 10 }, (_, at) => `"${at.toString(36).padStart(5, '0')}":1,`).join('');
const CLAIMS = '/proto/claims/claims';
const RPC = '/ixo.claims.v1beta1.Query/ClaimList';
const MIB = 1024 * 1024;

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  { name: 'a deep mask', bytes: get(`/proto/token/params?fields=${filled('a.')}`) },
  { name: 'a wide mask', bytes: get(`${CLAIMS}?fields=${filled('claims.claim_id,')}`) },
  { name: 'colons', bytes: get(`/proto/entity/${filled(':')}`) },
  { name: 'slashes', bytes: get(`/proto/${filled('/')}`) },
  { name: 'escapes', bytes: get(`/proto/entity/${filled('%25')}`) },
  { name: 'a nested parameter', bytes: get(`${CLAIMS}?${filled('pagination.')}=1`) },
  { name: 'many parameters', bytes: get(`${CLAIMS}?${filled('pagination.key=AA%3D%3D&')}`) },
  { name: 'a number of 15,000 digits', bytes: get(`${CLAIMS}?pagination.limit=${filled('9')}`) },
  { name: 'long metadata', bytes: get('/proto/token/params', `grpc-metadata-a: ${filled('a', 12_000)}\r\n`) },
  {
    name: 'many headers',
    bytes: get('/proto/token/params', filled('grpc-metadata-a: b\r\n', 12_000).replace(/[^\n]*$/, '')),
  },
  {
    name: 'a range of escapes in a header',
    bytes: get('/proto/token/params', `accept-encoding: ${filled('gzip;q=0.1,', 12_000)}a\r\n`),
  },
  { name: 'nested JSON', bytes: post(RPC, 'application/json', filled('{"pagination":', MIB - 10)) },
  { name: 'nested arrays', bytes: post('/proto/batch', 'application/json', filled('[', MIB - 10)) },
  {
    name: 'JSON of many keys',
    bytes: post(RPC, 'application/json', `{${filled('"pagination":{"limit":"1"},', MIB - 100).replace(/[^}]*$/, '')}}`),
  },
  {
    name: 'JSON of many names and long numbers',
    bytes: post(RPC, 'application/json', `{${names(MIB - 100)}"z":12345678901234567}`),
  },
  { name: 'a message of noise', bytes: post(RPC, 'application/proto', Buffer.alloc(MIB - 10, 0xff)) },
  { name: 'a frame of 4 GiB', bytes: post(RPC, 'application/grpc-web+proto', Buffer.from([0, 255, 255, 255, 255, 1])) },
  { name: 'base64 that is none', bytes: post(RPC, 'application/grpc-web-text', filled('=A', MIB - 10)) },
  {
    name: 'a batch of fifty pages',
    bytes: post(
      '/proto/batch',
      'application/json',
      JSON.stringify({
        paths: Array.from({ length: 50 }, (_, at) => `${CLAIMS}?pagination.limit=100&pagination.offset=${at}`),
      }),
    ),
  },
  {
    name: 'readers that do not read',
    bytes: Buffer.concat(
      Array.from({ length: 10 }, (_, at) => get(`${CLAIMS}?pagination.limit=100&pagination.offset=${at}`)),
    ),
    neverReads: true,
  },
];
