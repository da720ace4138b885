import { systemCode } from '../errors/system-reason.js';
import { redisTrouble } from '../redis/redis-trouble.js';
import type { ToldCalls } from './channel-spans.js';

/** As ioredis tells it. It tells of arguments as well, which are keys and values of users. */
interface RedisCommand {
  readonly command: string;
  readonly database: number;
  readonly serverAddress: string;
  readonly serverPort: number | undefined;
}

export const redisCalls: ToldCalls<RedisCommand> = {
  channel: 'ioredis:command',
  describe: ({ command, database, serverAddress, serverPort }) => {
    const operation = command.toUpperCase();
    return {
      name: operation,
      attributes: {
        'db.system.name': 'redis',
        'db.operation.name': operation,
        'db.namespace': String(database),
        'server.address': serverAddress,
        ...(serverPort === undefined ? {} : { 'server.port': serverPort }),
      },
    };
  },
  // What a server says begins with a word for what is wrong.
  failureOf: (error) => {
    if (!(error instanceof Error)) return '_OTHER';
    return systemCode(error) ?? redisTrouble(error) ?? /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? error.name;
  },
};
