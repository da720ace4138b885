const connectionLossNames = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);

/** Message of a command that fails while there is no connection to a cluster. */
export const clusterDown = 'The Redis cluster is unavailable';

/** ioredis has no codes for these; the texts are its own constants. */
const connectionLossMessages = new Set([
  'Connection is closed.',
  'Command timed out',
  'Command aborted due to connection close',
  "Stream isn't writeable and enableOfflineQueue options is false",
  clusterDown,
  'Cluster is ended.',
]);

/**
 * Error prefixes of a Redis server that cannot serve now: starting (LOADING), a replica since a failover (READONLY, MASTERDOWN,
 * NOREPLICAS), full (OOM), unable to write to disk (MISCONF), busy with a script, a changing cluster, or missing rights. Errors of
 * scripts have the same prefix; before Redis 7 after another text.
 */
const serverTrouble =
  /(?:^|: -)(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|NOAUTH|WRONGPASS|NOPERM) /;
const tooManyClients = 'ERR max number of clients reached';
const tooManyRedirections = 'Too many Cluster redirections';
/** NOPERM within a script, as Redis and Valkey report it. */
const notForScripts = /^ERR (?:The user executing the script can't|ACL failure in script:) /;

/** Why Redis cannot serve now, as one word for the log; undefined for any other error. */
export function redisTrouble({ name, message }: Error): string | undefined {
  if (message.startsWith(tooManyClients)) return 'MAXCLIENTS';
  if (notForScripts.test(message)) return 'NOPERM';
  if (message.startsWith(tooManyRedirections)) return 'CLUSTERDOWN';
  const prefix = serverTrouble.exec(message)?.[1];
  if (prefix !== undefined) return prefix;
  return connectionLossNames.has(name) || connectionLossMessages.has(message) ? 'away' : undefined;
}
