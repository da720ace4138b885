export { type GroupedConfig, groupConfig } from './config-groups.js';
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
} from './fields.js';
export {
  embeddedStoresRule,
  mostPerAddress,
  perAddressShape,
  privateRanges,
  processShape,
  publicAddressShape,
  storesShape,
  telemetryShape,
} from './process-shape.js';
export { EnvError, type EnvProblem, type EnvRule, type EnvSource, readEnv } from './read-env.js';
export { databaseAddresses, databaseName, databaseRule, redisCaRule, redisShape } from './stores-shape.js';
