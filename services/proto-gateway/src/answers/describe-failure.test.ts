import { toGrpcCode } from '@mlango/transcoder/grpc-status';
import { describe, expect, it } from 'vitest';
import { type NodeOutcome, toRpcStatus } from './describe-failure.js';

const reported = (number: number, message: string, more: Partial<NodeOutcome> = {}) => {
  const code = toGrpcCode(number);
  return toRpcStatus({ code, tooLarge: false, fromTransport: false, ...more }, 'a.B/C', () => ({
    code,
    message,
    details: [],
  }));
};

describe('toRpcStatus', () => {
  it('names the rpc a node does not have', () => {
    expect(reported(12, 'unknown method C for service a.B')).toEqual({
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
  ])('describes code %i without the address', (code, message, more) => {
    const status = reported(code, message, more);
    expect(status.message).not.toMatch(/10\.0\.0\.7|9090|ECONN|RST/);
    expect(status.message).toMatch(/chain node/);
  });

  it('calls a reply beyond the limit an internal error, not the caller’s quota', () => {
    expect(reported(8, 'Received message larger than max (20 vs. 16)', { tooLarge: true }).code).toBe(13);
    expect(reported(8, 'too many requests').code).toBe(8);
  });
});
