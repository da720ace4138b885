import { readFileSync } from 'node:fs';

/** A file of the simulator's page. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const folder = new URL('../../simulator/', import.meta.url);

const files = [
  { path: '/simulator', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/simulator/simulator.css', file: 'simulator.css', type: 'text/css; charset=utf-8' },
  { path: '/simulator/simulator.js', file: 'simulator.js', type: 'text/javascript; charset=utf-8' },
  { path: '/simulator/aggregators.js', file: 'aggregators.js', type: 'text/javascript; charset=utf-8' },
  { path: '/simulator/message-size.js', file: 'message-size.js', type: 'text/javascript; charset=utf-8' },
] as const;

/** Reads the page, once, at start. It is no part of what is deployed: production refuses the simulator. */
export function readPages(): Page[] {
  return files.map(({ path, file, type }) => ({ path, type, body: readFileSync(new URL(file, folder)) }));
}
