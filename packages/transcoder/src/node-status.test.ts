import { describe, expect, it } from 'vitest';
import { CODESPACE_ERRORS } from './codespaces.js';
import { GRPC_CODES, httpStatusOf, toGrpcCode } from './grpc-status.js';
import { type NodeOutcome, toRpcStatus } from './node-status.js';
import { toPlainMessage } from './plain-message.js';

const outcome = (code: number, message: string, more: Partial<NodeOutcome> = {}): NodeOutcome => ({
  code: toGrpcCode(code),
  message,
  details: [],
  tooLarge: false,
  fromTransport: false,
  ...more,
});
const told = (code: number, message: string, more?: Partial<NodeOutcome>) =>
  toRpcStatus(outcome(code, message, more), 'a.B/C');

describe('gRPC codes', () => {
  it('have the HTTP statuses of the table', () => {
    const table = Object.values(GRPC_CODES).map((code) => httpStatusOf(code));
    expect(table).toEqual([200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401]);
  });

  it('that do not exist are unknown', () => {
    expect([17, -1, 1.5].map(toGrpcCode)).toEqual([2, 2, 2]);
  });
});

describe('toRpcStatus', () => {
  it.each(CODESPACE_ERRORS)('gives $codespace $code its meaning', ({ codespace, code, grpcCode, reason }) => {
    expect(told(2, `codespace ${codespace} code ${code}: it is so`)).toEqual({
      code: grpcCode,
      message: 'it is so',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason,
          domain: codespace,
          metadata: { codespace, code: String(code) },
        },
      ],
    });
  });

  it('finds a module error inside a longer text', () => {
    expect(told(2, 'rpc error: code = Unknown desc = codespace claims code 1100: claim not found')).toMatchObject({
      code: 5,
      message: 'claim not found',
    });
  });

  it('leaves other module errors and other codes as they are', () => {
    expect(told(2, 'codespace claims code 999: odd')).toMatchObject({
      code: 2,
      message: 'codespace claims code 999: odd',
    });
    expect(told(13, 'codespace claims code 1100: claim not found')).toMatchObject({ code: 13 });
  });

  it('names the rpc a node does not have', () => {
    expect(told(12, 'unknown method C for service a.B')).toEqual({
      code: 12,
      message: 'a.B/C is not available on this chain node',
      details: [],
    });
  });

  it.each([
    [14, 'No connection established. Last error: connect ECONNREFUSED 10.0.0.7:9090', {}],
    [4, 'Deadline exceeded after 10s, remote_addr=10.0.0.7:9090', {}],
    [8, 'Received message larger than max (20 vs. 16)', { tooLarge: true }],
    [13, 'Received RST_STREAM with code 2 triggered by 10.0.0.7:9090', { fromTransport: true }],
  ])('says code %i in plain words, without the address', (code, message, more) => {
    const status = told(code, message, more);
    expect(status.message).not.toMatch(/10\.0\.0\.7|9090|ECONN|RST/);
    expect(status.message).toMatch(/chain node/);
  });

  it('calls a reply beyond the limit an internal error, not the caller’s quota', () => {
    expect(told(8, 'Received message larger than max (20 vs. 16)', { tooLarge: true }).code).toBe(13);
    expect(told(8, 'too many requests').code).toBe(8);
  });
});

describe('toPlainMessage', () => {
  it('keeps a plain sentence', () => {
    expect(toPlainMessage('entity did:ixo:entity:abc not found: key 12:30')).toBe(
      'entity did:ixo:entity:abc not found: key 12:30',
    );
  });

  it('drops the stack, source places and addresses', () => {
    const text =
      'panic at 10.0.0.7:26657 [cosmos/cosmos-sdk@v0.50.1/baseapp/abci.go:123]\ngoroutine 1 [running]:\nmain.go:5';
    expect(toPlainMessage(text)).toBe('panic at the node');
  });

  it('cuts what is too long', () => {
    expect(toPlainMessage('x'.repeat(5000))).toHaveLength(1000);
    expect(toPlainMessage(` ${'x'.repeat(5000)}`)).toHaveLength(1000);
  });

  it.each([
    ['dial tcp Node-1.Internal.example:26657: refused', 'dial tcp the node: refused'],
    ['at [::1]:9090, localhost:26657 and a_b.svc:80', 'at the node, the node and the node'],
    ['x (/go/pkg/mod/a@v1.2/b.go:12 +0x1a) y', 'x () y'],
  ])('takes the addresses and places out of %j', (text, plain) => {
    expect(toPlainMessage(text)).toBe(plain);
  });

  it('shows no part of an address that the cut goes through', () => {
    for (let length = 0; length < 40; length += 1) {
      const places = ' main.go:5'.repeat(500);
      expect(toPlainMessage(`${' '.repeat(length)}${places} at 10.11.12.13:26657`)).not.toMatch(/[0-9]/);
    }
  });
});
