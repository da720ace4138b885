import { describe, expect, it } from 'vitest';
import { redisTrouble } from './redis-trouble.js';
import { toServiceError } from './to-service-error.js';

describe('Redis errors that mean unavailability', () => {
  it.each([
    ['OOM', "OOM command not allowed when used memory > 'maxmemory'. script: 3f1, on @user_script:1."],
    ['OOM', 'ERR Error running script (call to f_3f1): @user_script:2: @user_script: 2: -OOM command not allowed'],
    ['MAXCLIENTS', 'ERR max number of clients reached'],
    [
      'NOPERM',
      "ERR The user executing the script can't run this command or subcommand script: 9ce, on @user_script:1.",
    ],
    ['NOPERM', 'ERR ACL failure in script: No permissions to access a key script: 6de, on @user_script:1.'],
    ['NOREPLICAS', 'NOREPLICAS Not enough good replicas to write.'],
    ['LOADING', 'LOADING Redis is loading the dataset in memory'],
    ['away', 'Command timed out'],
  ])('%s is distinguished from a programming error', (word, message) => {
    expect(redisTrouble(new Error(message))).toBe(word);
    expect(toServiceError(new Error(message))).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  });

  it.each(['WRONGTYPE Operation against a key', 'ERR syntax error', 'NOSCRIPT No matching script', 'a: -OOMPH x'])(
    'but %j is one',
    (message) => {
      expect(redisTrouble(new Error(message))).toBeUndefined();
      expect(toServiceError(new Error(message)).status).toBe(500);
    },
  );
});
