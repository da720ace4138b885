import type { Redis } from 'ioredis';

/**
 * Has a node that leaves the cluster, or that an answer about slots does not name in the middle of a failover, answer first what it
 * was asked. The client drops its connection otherwise, and nobody knows what became of the commands on it.
 *
 * @param isAtOnce whether waiting is over, as while the client closes
 */
export function leaveAnswered(node: Redis, isAtOnce: () => boolean): void {
  const disconnect = node.disconnect.bind(node);
  let isLeaving = false;
  node.disconnect = (reconnect) => {
    if (isLeaving || reconnect === true || isAtOnce()) return disconnect(reconnect);
    isLeaving = true;
    // It is answered last, after all that is on its way, or fails at the timeout of a command.
    node.quit().catch(() => disconnect());
  };
}
