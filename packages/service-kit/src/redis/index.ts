export { key } from './key.js';
export { openRedis, type RedisConnection, type RedisConnectionOptions } from './open-redis.js';
export { publish, publishCommand, publishCounted, type RedisClient } from './redis-client.js';
export { RedisScript } from './redis-script.js';
export type { Listening, RedisSubscriber } from './redis-subscriber.js';
export { redisWritableGauge, redisWrites } from './redis-writes.js';
