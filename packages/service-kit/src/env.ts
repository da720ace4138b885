export { databaseAddresses, databaseName, databaseRule } from './env/database-shape.js';
export {
  choice,
  cidrs,
  flag,
  flagOr,
  integer,
  isOrigin,
  list,
  optionalInteger,
  optionalText,
  origins,
  port,
  secret,
  text,
  url,
} from './env/fields.js';
export {
  embeddedStoresRule,
  mostPerAddress,
  perAddressShape,
  privateRanges,
  processShape,
  publicAddressShape,
  storesShape,
} from './env/process-shape.js';
export { EnvError, type EnvProblem, type EnvRule, type EnvSource, readEnv } from './env/read-env.js';
export { redisCaRule, redisShape } from './env/redis-shape.js';
