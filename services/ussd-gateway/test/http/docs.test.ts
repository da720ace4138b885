import { describe, expect, it } from 'vitest';
import { openTestApp } from '../support/test-app.js';

const paths = ['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui.css', '/docs/static/index.html'];

describe('the description of the API', () => {
  it('is served by default', async () => {
    const app = await openTestApp();
    expect((await app.inject('/docs/json')).json().paths).toHaveProperty('/api/ussd');
    expect((await app.inject('/docs/')).headers['content-type']).toContain('text/html');
    await app.close();
  });

  it('is absent with DOCS=off, and all other routes stay', async () => {
    const app = await openTestApp({ env: { DOCS: 'off' } });
    for (const path of paths) expect((await app.inject(path)).statusCode, path).toBe(404);
    expect((await app.inject('/')).statusCode).toBe(200);
    await app.close();
  });
});
