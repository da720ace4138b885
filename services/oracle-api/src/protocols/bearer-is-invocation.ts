import type { HttpApp } from '@mlango/service-kit/http-app';

/**
 * Reads the bearer token of requests to this scope as an invocation, unless a delegation comes with it: clients of other tongues have
 * one token and do not say of what kind it is. To be called before `forCallers`.
 */
export function bearerIsInvocation(scope: HttpApp): void {
  scope.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['x-ucan-delegation'] === undefined) headers['x-auth-type'] ??= 'ucan';
    done();
  });
}
