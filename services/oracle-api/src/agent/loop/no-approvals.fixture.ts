import type { Approvals } from './sql-approvals.js';
import type { SuspendedRuns } from './suspended-runs.js';

/** For tests without approvals. */
export const nothingPaused: SuspendedRuns = {
  suspend: () => Promise.reject(new Error('nothing waits in this test')),
  find: async () => undefined,
  listDue: async () => [],
  resume: async () => undefined,
};

export const nothingWaits: Approvals = {
  listWaiting: async () => [],
  settle: async () => ({ kind: 'unknown' }),
  withdraw: async () => 0,
  expire: async () => 0,
  listRules: async () => [],
  requireApproval: async () => undefined,
  dropRule: async () => false,
};
