import type { SessionRecord } from './session-record.js';
import type { SessionStore } from './session-store.js';

/** A store under test, with its clock. */
export interface StoreUnderTest {
  readonly store: SessionStore;
  /** Advances the clock of the store by at least this many ms. */
  readonly pass: (ms: number) => Promise<void>;
  /** Whether `pass` can skip minutes. */
  readonly skips: boolean;
}

let nextId = 0;

/** A record of a unique session. */
export function anyRecord(change: Partial<SessionRecord> = {}): SessionRecord {
  nextId += 1;
  return {
    aggregator: 'canonical',
    sessionId: `session-${process.pid}-${nextId}`,
    phoneNumber: `+26097${String(nextId).padStart(7, '0')}`,
    serviceCode: '*384#',
    flow: { id: 'default', version: 1 },
    position: { state: 'preMenu', language: 'en', choices: { topic: 'pricing' }, page: 0 },
    isAuthenticated: false,
    macKeyId: 'k1',
    marks: [{ length: 0, mac: 'm' }],
    message: 'Welcome\n1. Know More',
    ended: false,
    ...change,
  };
}
