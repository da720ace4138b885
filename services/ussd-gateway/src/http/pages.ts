import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of the simulator's page. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const { resolve } = createRequire(import.meta.url);

const files = [
  { path: '/simulator', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/simulator/simulator.css', file: 'simulator.css', type: 'text/css; charset=utf-8' },
  { path: '/simulator/simulator.js', file: 'simulator.js', type: 'text/javascript; charset=utf-8' },
] as const;

/** Reads the page, once, at start. It is no part of what is deployed: production refuses the simulator. */
export function readPages(): Page[] {
  return files.map(({ path, file, type }) => {
    return { path, type, body: readFileSync(resolve(`@mlango/ussd-workbench/page/${file}`)) };
  });
}
