import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderJsonError, ServiceError } from './service-error.js';
import { toServiceError } from './to-service-error.js';

describe('toServiceError', () => {
  it('passes service errors through', () => {
    const error = new ServiceError('conflict', 'already there');
    expect(toServiceError(error)).toBe(error);
  });

  it.each([
    ['a refused connection', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['a closed database connection', Object.assign(new Error('x'), { code: 'CONNECTION_CLOSED' })],
    ['a wrapped one', new Error('Failed query', { cause: Object.assign(new Error('x'), { code: '57P01' }) })],
    [
      'a full disk of the database',
      new Error('Failed query', { cause: Object.assign(new Error('x'), { code: '53100' }) }),
    ],
    ['a Redis command on a broken connection', new Error('Command aborted due to connection close')],
    ['a Redis that still loads its data', new Error('LOADING Redis is loading the dataset in memory')],
    ['a timed out Redis command', new Error('Command timed out')],
    ['an unavailable Redis', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
  ])('turns %s into unavailable with Retry-After', (_name, thrown) => {
    expect(toServiceError(thrown)).toMatchObject({ code: 'unavailable', status: 503, headers: { 'retry-after': '5' } });
  });

  it("keeps Fastify's message about the request", () => {
    const thrown = Object.assign(new Error('Request body is too large'), {
      code: 'FST_ERR_CTP_BODY_TOO_LARGE',
      statusCode: 413,
    });
    expect(toServiceError(thrown)).toMatchObject({
      code: 'payload_too_large',
      publicMessage: 'Request body is too large',
    });
  });

  it('treats a path parameter beyond the limit as a mistake of the caller', () => {
    const thrown = Object.assign(new Error("'/things/xxxx' is exceeding the max param length"), {
      code: 'FST_ERR_MAX_PARAM_LENGTH',
      statusCode: 414,
    });
    expect(toServiceError(thrown)).toMatchObject({ code: 'invalid_argument', status: 400 });
  });

  it('accepts a status only from Fastify', () => {
    expect(toServiceError(Object.assign(new Error('secret'), { statusCode: 400 })).code).toBe('internal');
  });

  it('never reveals the text of an unknown error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string().map((text) => new Error(`S3CRET ${text}`)),
        ),
        (thrown) => {
          const error = toServiceError(thrown);
          expect(error.status).toBeGreaterThanOrEqual(500);
          expect(JSON.stringify(renderJsonError(error))).not.toContain('S3CRET');
        },
      ),
    );
  });

  it('answers with the generic text for failures of this side, also for a service error with more detail', () => {
    const rendered = renderJsonError(
      new ServiceError('unavailable', 'redis at 10.0.0.7 is down', { details: { host: '10.0.0.7' } }),
    );
    expect(rendered.body).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'Service temporarily unavailable',
    });
  });
});
