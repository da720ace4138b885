export { addressKey } from './http/address-key.js';
export { endWithError } from './http/client-errors.js';
export { createHttpApp, type HttpAppOptions } from './http/create-http-app.js';
export { errorFunnel } from './http/error-funnel.js';
export type { HttpApp } from './http/http-app-type.js';
export { hasOneHost, twoHosts } from './http/one-host.js';
export type { OpenApiOptions } from './http/openapi.js';
export { countFurther, type RateLimitOptions, rateLimitHook } from './http/rate-limiting.js';
export { takeOrRefuse, tooMany } from './http/take-or-refuse.js';
