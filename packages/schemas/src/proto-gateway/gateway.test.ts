import { describe, expect, it } from 'vitest';
import { badRequestDetail, rpcError } from './gateway.js';

describe('rpcError', () => {
  it('accepts the error of a bad request with its violations', () => {
    const detail = {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      field_violations: [{ field: 'pagination.limit', description: 'must be a whole number' }],
    };
    const error = { code: 3, message: 'pagination.limit must be a whole number', details: [detail] };
    expect(rpcError.parse(error)).toEqual(error);
    expect(badRequestDetail.parse(detail)).toEqual(detail);
  });

  it('refuses a body without details, a success and an unknown gRPC code', () => {
    expect(rpcError.safeParse({ code: 5, message: 'x' }).success).toBe(false);
    expect(rpcError.safeParse({ code: 0, message: 'x', details: [] }).success).toBe(false);
    expect(rpcError.safeParse({ code: 17, message: 'x', details: [] }).success).toBe(false);
  });
});
