const lostConnectionNames = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);

/** What a command fails with while there is no connection to a cluster. */
export const clusterAway = 'The Redis cluster is away';

/** ioredis has no codes for these; the texts are its own constants. */
const lostConnectionMessages = new Set([
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
  "Stream isn't writeable and enableOfflineQueue options is false",
  clusterAway,
  'Cluster is ended.',
]);

/**
 * What a Redis server says first that is there but cannot serve now: it is starting (LOADING), a replica since a failover
 * (READONLY, MASTERDOWN, NOREPLICAS), full (OOM), cannot write to its disk (MISCONF), busy with a script, part of a cluster that
 * is changing or that was taken for one server, lets nobody else in, or does not let us do it. A script says the same; before Redis 7 behind words of its own.
 */
const serverTrouble =
  /(?:^|: -)(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|NOAUTH|WRONGPASS|NOPERM) /;
const tooManyClients = 'ERR max number of clients reached';
const tooManyRedirections = 'Too many Cluster redirections';
/** What a script says for NOPERM: of Redis, and of Valkey. */
const notForScripts = /^ERR (?:The user executing the script can't|ACL failure in script:) /;

/** Why a Redis that was asked cannot do it now, in a word for the log; undefined for any other error. */
export function redisTrouble({ name, message }: Error): string | undefined {
  if (message.startsWith(tooManyClients)) return 'MAXCLIENTS';
  if (notForScripts.test(message)) return 'NOPERM';
  if (message.startsWith(tooManyRedirections)) return 'CLUSTERDOWN';
  const said = serverTrouble.exec(message)?.[1];
  if (said !== undefined) return said;
  return lostConnectionNames.has(name) || lostConnectionMessages.has(message) ? 'away' : undefined;
}
