// npm run docs: builds the site, prints its address and serves it until it is stopped; DOCS_PORT, 3006 unless set.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from 'vitepress';

await import('./build.mjs');
await serve({ root: dirname(fileURLToPath(import.meta.url)), port: Number(process.env['DOCS_PORT'] || 3006) });
