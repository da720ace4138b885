/** Tables of the token check: revoked tokens, and used single-use ones. */
export { ucanReplays, ucanRevocations } from '@mlango/ucan-auth/postgres-schema';
export { approvalRules, suspendedRuns, toolCalls } from '../agent/loop/schema.js';
export { apiKeys } from '../identity/schema.js';
/** State of plugins without tables of their own. */
export { pluginState, pluginStateVersions } from '../plugins/host/state/schema.js';
export { unreportedUsage } from '../runs/schema.js';
export {
  branchSummaries,
  conversationSummaries,
  delegations,
  messages,
  preferences,
  roomPreferences,
  runs,
  sessions,
} from './schema.js';
