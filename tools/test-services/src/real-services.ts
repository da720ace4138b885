// Both real services at once. A file that needs only one imports `real-redis` or `real-postgres` and starts only that.
export { freshDatabase, postgresUrl } from './real-postgres.js';
export { freshKeyPrefix, freshRedis, redisUrl } from './real-redis.js';
