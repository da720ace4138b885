import { jsonError } from '@mlango/schemas/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { type OperatorAccess, operatorOnly } from '@mlango/service-kit/operator-access';

/**
 * Restricts all routes of a scope to operators and describes them so: the tag `operators`, the scheme `operator`, and 401. To be called before
 * they are added. Without a token they are open or 404, as `access` has it.
 */
export function restrictToOperators(app: HttpApp, access: OperatorAccess): void {
  // Before the body is read: what a stranger sends is not looked at.
  app.addHook('onRequest', operatorOnly(access));
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    const response = { 401: jsonError, ...(schema?.response as object | undefined) };
    const tags = ['operators', ...(schema?.tags ?? [])];
    route.schema = { ...schema, tags, security: [{ operator: [] }], response };
  });
}
