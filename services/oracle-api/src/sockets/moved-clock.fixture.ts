import { createUcanAuth, type UcanAuthOptions } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { oracle } from '../../test/app.fixture.js';

/** One adjustable clock for tokens and sockets, ahead of the real one, with a token check that uses it. */
export class MovedClock {
  aheadMs = 0;

  readonly nowMs = () => Date.now() + this.aheadMs;
  readonly now = () => Math.floor(this.nowMs() / 1000);

  auth(options: Partial<UcanAuthOptions> = {}) {
    const revocations = memoryRevocationStore(this.now);
    return createUcanAuth({ audiences: [oracle.did], now: this.now, revocations, ...options });
  }
}
