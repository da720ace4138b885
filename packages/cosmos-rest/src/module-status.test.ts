import { toGrpcCode } from '@mlango/transcoder/grpc-status';
import { describe, expect, it } from 'vitest';
import { CODESPACE_ERRORS } from './codespaces.js';
import { moduleStatus } from './module-status.js';

const mapped = (code: number, message: string) => moduleStatus({ code: toGrpcCode(code), message, details: [] });

describe('moduleStatus', () => {
  it.each(CODESPACE_ERRORS)('maps $codespace $code to its code', ({ codespace, code, grpcCode, reason }) => {
    expect(mapped(2, `codespace ${codespace} code ${code}: it is so`)).toEqual({
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
    expect(mapped(2, 'rpc error: code = Unknown desc = codespace claims code 1100: claim not found')).toMatchObject({
      code: 5,
      message: 'claim not found',
    });
  });

  it('leaves other module errors and other codes unchanged', () => {
    expect(mapped(2, 'codespace claims code 999: odd')).toMatchObject({
      code: 2,
      message: 'codespace claims code 999: odd',
    });
    expect(mapped(13, 'codespace claims code 1100: claim not found')).toMatchObject({ code: 13 });
  });
});
