import { describe, expect, it } from 'vitest';
import { GRPC_CODES, httpStatusOf, toGrpcCode } from './grpc-status.js';

describe('gRPC codes', () => {
  it('have the HTTP statuses of the table', () => {
    const table = Object.values(GRPC_CODES).map((code) => httpStatusOf(code));
    expect(table).toEqual([200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401]);
  });

  it('that do not exist are unknown', () => {
    expect([17, -1, 1.5].map(toGrpcCode)).toEqual([2, 2, 2]);
  });
});
