import { expect } from 'vitest';
import { createLogger } from './create-logger.js';

export type Logger = ReturnType<typeof createLogger>;

/** The one line written, unparsed. */
export function linesOf(write: (logger: Logger) => void): string {
  const lines: string[] = [];
  write(createLogger({ service: 'test', level: 'trace', destination: { write: (line) => void lines.push(line) } }));
  expect(lines).toHaveLength(1);
  expect(() => JSON.parse(lines[0] ?? '')).not.toThrow();
  return lines.join('');
}
