export {
  choice,
  cidrs,
  flag,
  flagOr,
  integer,
  list,
  optionalInteger,
  optionalText,
  port,
  secret,
  text,
  url,
} from './env/fields.js';
export {
  directUrlRule,
  embeddedStoresRule,
  mostPerAddress,
  perAddressShape,
  privateRanges,
  processShape,
  storesShape,
} from './env/process-shape.js';
export { EnvError, type EnvProblem, type EnvRule, type EnvSource, readEnv } from './env/read-env.js';
export { redisCaRule, redisShape } from './env/redis-shape.js';
