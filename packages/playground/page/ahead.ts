import { openViews } from './chain/open-views.js';
import { isFirstList } from './chain/parts/paths.js';
import { preloadAnswer } from './chain/parts/requests.js';
import { openPage } from './shell/page-view.js';
import { pageOf, partsOf, queryOf } from './shell/route.js';
import './shell/settings.js';

// Requests the data of the first view before anything is drawn: on a slow network each round trip counts.
const { hash, pathname } = window.location;
const route = partsOf(hash);
preloadAnswer(route, queryOf(hash));
const page = pageOf(route, pathname);
// A failure is shown by the view that needs the file.
openPage(page).catch(() => undefined);
if (page === 'chain' && !isFirstList(route[1] ?? 'entities', route[2])) openViews().catch(() => undefined);
