import { askAhead } from './chain/asking/ahead.js';
import { isFirstList } from './chain/here/views.js';
import { openViews } from './chain/open-views.js';
import { roomOf } from './shell/room-of.js';
import { openRoom } from './shell/rooms.js';
import { partsOf, queryOf } from './shell/route.js';
import './shell/asked-settings.js';

// All that the first view needs is asked for before anything is drawn: on a slow network each wait for an answer counts.
const { hash, pathname } = window.location;
const route = partsOf(hash);
askAhead(route, queryOf(hash));
const room = roomOf(route, pathname);
// What could not be loaded is said where it is shown.
openRoom(room).catch(() => undefined);
if (room === 'chain' && !isFirstList(route[1] ?? 'entities', route[2])) openViews().catch(() => undefined);
