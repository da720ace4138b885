import { applyTheme } from './chosen-theme.js';
import { preloadPageFiles } from './page-files.js';

// What stands in the page itself and runs before any file of it has come.
applyTheme();
preloadPageFiles();
