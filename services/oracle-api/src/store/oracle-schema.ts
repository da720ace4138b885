/** What the token check keeps: tokens taken back, and single-use ones that were used. */
export { ucanReplays, ucanRevocations } from '@mlango/ucan-auth/postgres-schema';
export {
  approvalRules,
  suspendedRuns as pausedTurns,
  toolCalls,
  unreportedUsage as untoldUsage,
} from '../agent/schema.js';
export { apiKeys } from '../identity/schema.js';
/** What plugins keep without a table of their own. */
export { pluginState, pluginStateVersions } from '../plugins/host/state/schema.js';
export { runs } from '../runs/schema.js';
export {
  branchSummaries,
  conversationSummaries,
  delegations,
  messages,
  preferences,
  roomPreferences,
  sessions,
} from './schema.js';
