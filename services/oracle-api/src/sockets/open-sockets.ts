import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { SocketDeps } from './realtime.js';
import { openSocketIo } from './socket-io.js';
import { openWebSockets } from './web-socket.js';

/** How long clients have to take what was sent to them and to leave when the process stops, in ms. */
const farewellMs = 250;

/**
 * Opens both ways in to the hub, on the port of the app. What is returned closes them: clients are told to come back
 * later, and those that do not leave are cut off.
 */
export async function openSockets(app: HttpApp, deps: SocketDeps): Promise<() => Promise<void>> {
  const closeSocketIo = openSocketIo(app, deps);
  const closeWebSockets = await openWebSockets(app, deps);
  return async () => {
    const { connectionLimit: seats } = deps.realtime;
    deps.realtime.close();
    for (let waited = 0; waited < farewellMs && seats.taken > 0; waited += 10) await sleep(10);
    closeSocketIo();
    closeWebSockets();
  };
}
