import { locate } from './locate.js';

/** A cluster of this run, or undefined when the machine has none. All test files share it: each its own names, and nobody empties it. */
export const redisClusterUrl: string | undefined = await locate('redisCluster');

/** The same of a primary with a replica that sentinels know. */
export const redisSentinelsUrl: string | undefined = await locate('redisSentinels');
