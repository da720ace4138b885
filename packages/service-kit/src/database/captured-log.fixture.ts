import { pino } from 'pino';
import type { Logger } from '../logging/index.js';

/** A logger whose lines a test can read. */
export function capturedLog(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  return { logger, lines };
}
