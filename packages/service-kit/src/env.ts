export { choice, cidrs, flag, flagOr, integer, list, optionalText, port, secret, text, url } from './env/fields.js';
export { directUrlRule, embeddedStoresRule, privateRanges, processShape, storesShape } from './env/process-shape.js';
export { EnvError, type EnvProblem, type EnvRule, type EnvSource, readEnv } from './env/read-env.js';
