import { applyTheme } from './chosen-theme.js';
import { preloadPageFiles } from './page-files.js';

// The inline script, which runs before any file has loaded.
applyTheme();
preloadPageFiles();
