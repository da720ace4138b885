export { tooManyRequests } from '../errors/service-error.js';
export { refusedRevocation } from '../errors/token-errors.js';
export { addressKey } from './client-address.js';
export { commonCorsOptions } from './common-cors-options.js';
export { createHttpApp, type HttpAppOptions } from './create-http-app.js';
export { endWithError, errorFunnel } from './error-funnel.js';
export type { HttpApp } from './http-app-type.js';
export type { OpenApiOptions } from './openapi.js';
export { fillExamples, type SandboxValues } from './openapi.js';
export {
  countExtraRequests,
  type RateLimitOptions,
  rateLimitHook,
  takeOrRefuse,
} from './rate-limiting.js';
export { whenReplyClosed } from './reply-closed.js';
export { hasOneHost, twoHosts } from './request-host.js';
