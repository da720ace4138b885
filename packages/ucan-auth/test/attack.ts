import type { RefusalCode } from '../src/decode/decode-token.js';

export interface Attack {
  readonly name: string;
  readonly token: string;
  readonly code: RefusalCode;
  /** What ucanto's own extraction and validation make of it. `endless`: seconds of work or no end at all, not tried in tests. */
  readonly ucanto: 'accepts' | 'refuses' | 'throws' | 'endless';
}
