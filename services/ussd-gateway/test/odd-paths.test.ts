import { expect, it } from 'vitest';
import { openTestApp } from './support/test-app.js';

/** Path segments that are no valid id. */
const odd = ['x'.repeat(10_000), '%61'.repeat(10_000), '%00', 'a%00b', '%ff%fe', '%E0%A4%A', '%', 'a%2Fb'];

it('an invalid path is a client error on every route, and never a server error', async () => {
  const app = await openTestApp({ env: { OPERATOR_ROUTES: 'true' } });
  const { paths } = (await app.inject('/docs/json')).json<{ paths: Record<string, object> }>();
  const routes = Object.entries(paths).filter(([path]) => path.includes('{'));
  const failed: string[] = [];
  for (const [path, methods] of routes) {
    for (const method of Object.keys(methods)) {
      for (const id of odd) {
        const url = path.replaceAll(/\{\w+\}/g, id);
        const { statusCode, body } = await app.inject({ method: method.toUpperCase() as 'GET', url });
        const isFine = statusCode < 500 && (id.length < 10_000 || statusCode >= 400);
        if (!isFine) failed.push(`${method} ${path} with ${id.slice(0, 20)}: ${statusCode} ${body.slice(0, 200)}`);
      }
    }
  }
  expect(failed).toEqual([]);
  expect(routes.length).toBeGreaterThan(2);
  await app.close();
});
