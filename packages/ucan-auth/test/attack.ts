import type { RefusalCode } from '../src/decode/decode-token.js';

export interface Attack {
  readonly name: string;
  readonly token: string;
  readonly code: RefusalCode;
  /** Result of ucanto's own extraction and validation. `endless`: seconds of work or no end, not run in tests. */
  readonly ucanto: 'accepts' | 'refuses' | 'throws' | 'endless';
}
