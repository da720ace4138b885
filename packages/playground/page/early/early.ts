import { putOnTheme } from './chosen-theme.js';
import { askForRoom } from './room-files.js';

// What stands in the page itself and runs before any file of it has come.
putOnTheme();
askForRoom();
