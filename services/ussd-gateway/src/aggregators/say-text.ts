import type { Encoded, Said } from './adapter.js';

/** `CON` or `END` before the message, as plain text. */
export function sayText(said: Said): Encoded {
  return { body: `${said.closes ? 'END' : 'CON'} ${said.message}` };
}
