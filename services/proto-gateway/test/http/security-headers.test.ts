import { describe, expect, it } from 'vitest';
import { gatewayOnNode } from '../support/gateway-on-node.js';

const { get } = gatewayOnNode();

describe('security headers', () => {
  it.each(['/proto/token/params', '/proto/nowhere', '/proto/claims/claims?pagination.limit=x'])(
    'of an answer in JSON are the one that keeps browsers from taking it for a page: %s',
    async (url) => {
      const { headers } = await get(url);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
      expect(headers).not.toHaveProperty('content-security-policy');
    },
  );

  it('are complete for pages', async () => {
    const { headers } = await get('/docs');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });
});
