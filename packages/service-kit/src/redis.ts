export { key } from './redis/key.js';
export { openRedis, type RedisConnection, type RedisConnectionOptions } from './redis/open-redis.js';
export { publish, publishCommand, publishCounted, type RedisClient } from './redis/redis-client.js';
export { RedisScript } from './redis/redis-script.js';
export type { Listening, RedisSubscriber } from './redis/redis-subscriber.js';
export { redisWritableGauge, redisWrites } from './redis/redis-writes.js';
