import { jsonError } from '@mlango/schemas/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { type OperatorAccess, operatorOnly } from '@mlango/service-kit/operator-access';

/**
 * Restricts all routes of a scope to operators and documents them so: the tag `operators`, the scheme `operator`, and
 * 401. Call it before the routes are added. Without an operator token the routes are open or answer 404, according to
 * `access`.
 */
export function restrictToOperators(app: HttpApp, access: OperatorAccess): void {
  // Runs before the body is parsed: bodies of unauthorized requests are not read.
  app.addHook('onRequest', operatorOnly(access));
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    const response = { 401: jsonError, ...(schema?.response as object | undefined) };
    const tags = ['operators', ...(schema?.tags ?? [])];
    route.schema = { ...schema, tags, security: [{ operator: [] }], response };
  });
}
