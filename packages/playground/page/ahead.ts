import { askAhead } from './chain/asking/ahead.js';
import { openRoom, roomOf } from './shell/rooms.js';
import { partsOf, queryOf } from './shell/route.js';
import './shell/asked-settings.js';

// All that the first view needs is asked for at once, by this small file: on a slow network each wait for an answer counts.
const { hash } = window.location;
const route = partsOf(hash);
askAhead(route, queryOf(hash));
// What could not be loaded is said where it is shown.
openRoom(roomOf(route)).catch(() => undefined);
void import('./main.js');
