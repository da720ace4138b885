import { expect, it } from 'vitest';
import { gatewayOnNode } from '../support/gateway-on-node.js';

const { app } = gatewayOnNode();

/** Strings that are no ids, in the form of a path segment. */
const odd = ['x'.repeat(10_000), '%61'.repeat(10_000), '%00', 'a%00b', '%ff%fe', '%E0%A4%A', '%', 'a%2Fb'];

it('an invalid id in a path is an error of the caller on every route, and never one of the gateway', async () => {
  const { paths } = (await app().inject('/openapi.json')).json<{ paths: Record<string, object> }>();
  const routes = Object.entries(paths).filter(([path]) => path.includes('{'));
  const failed: string[] = [];
  for (const [path, methods] of routes) {
    for (const method of Object.keys(methods)) {
      const send = (id: string) =>
        app().inject({ method: method.toUpperCase() as 'GET', url: path.replaceAll(/\{[^}]+\}/g, id) });
      // The node's usual status for unknown ids; one of the two is base64.
      const usual = [(await send('x')).statusCode, (await send('abcd')).statusCode];
      for (const id of odd) {
        const { statusCode, body } = await send(id);
        const isRefused = statusCode >= 400 && statusCode < 500;
        const isFine = id.length < 10_000 ? isRefused || usual.includes(statusCode) : isRefused;
        if (!isFine) failed.push(`${method} ${path} with ${id.slice(0, 20)}: ${statusCode} ${body.slice(0, 200)}`);
      }
    }
  }
  expect(failed).toEqual([]);
  expect(routes.length).toBeGreaterThan(50);
});
