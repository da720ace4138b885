import { describe, expect, it } from 'vitest';
import { OracleRequestError } from '../../api/requests/request-error.js';
import { en } from '../../words/en.js';
import { errorText } from './error-text.js';

describe('the text of an error', () => {
  it('names the limit and its time', () => {
    const limited = (retryAfter: string | null) => errorText(new OracleRequestError(429, {}, { retryAfter }), en);
    expect(limited('30')).toMatch(/^Too many messages\. Retry after .*\d+:\d\d:\d\d.*\.$/);
    expect(limited(null)).toBe('Too many messages. Wait a moment, then retry.');
    expect(limited('Wed, 21 Oct 2026 07:28:00 GMT')).toBe('Too many messages. Wait a moment, then retry.');
    expect(errorText(new OracleRequestError(503, {}), en)).toBe(en.errors.unavailable);
  });
});
