import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { DoorDeps } from './doors.js';
import { openSocketIoDoor } from './socket-io-door.js';
import { openWebSocketDoor } from './web-socket-door.js';

/** How long clients have to take what was sent to them and to leave when the process stops, in ms. */
const farewellMs = 250;

/**
 * Opens both ways in to the hub, on the port of the app. What is returned closes them: clients are told to come back
 * later, and those that do not leave are cut off.
 */
export async function openDoors(app: HttpApp, deps: DoorDeps): Promise<() => Promise<void>> {
  const closeSocketIo = openSocketIoDoor(app, deps);
  const closeWebSockets = await openWebSocketDoor(app, deps);
  return async () => {
    const { seats } = deps.realtime;
    deps.realtime.close();
    for (let waited = 0; waited < farewellMs && seats.taken > 0; waited += 10) await sleep(10);
    closeSocketIo();
    closeWebSockets();
  };
}
