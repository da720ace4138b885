import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { SocketDeps } from './realtime.js';
import { openSocketIo } from './socket-io.js';
import { openWebSockets } from './web-socket.js';

/** Time for clients to read and disconnect at shutdown, in ms. */
const disconnectMs = 250;

/** Serves both socket protocols on the app's port. Returns a function that closes them: clients get a close reason, then are terminated. */
export async function openSockets(app: HttpApp, deps: SocketDeps): Promise<() => Promise<void>> {
  const closeSocketIo = openSocketIo(app, deps);
  const closeWebSockets = await openWebSockets(app, deps);
  return async () => {
    const { connectionLimit } = deps.realtime;
    deps.realtime.close();
    for (let waited = 0; waited < disconnectMs && connectionLimit.taken > 0; waited += 10) await sleep(10);
    closeSocketIo();
    closeWebSockets();
  };
}
