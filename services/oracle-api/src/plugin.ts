/** What a plugin is written with. */

export { ServiceError } from '@mlango/service-kit/errors';
export { callerOf } from '@mlango/ucan-auth/fastify';
export type { Converse, Heard, Said } from './chat/converse.js';
export type { DeclaredAction, DeclaredTool } from './chat/declared-tools.js';
export type { PaymentDemand, PaymentGate } from './chat/payment-gate.js';
export type { MeteredTurn, UsageMeter } from './chat/turn-usage.js';
export { definePlugin } from './plugins/define-plugin.js';
export type {
  OraclePlugin,
  OracleStores,
  PluginBoot,
  PluginManifest,
  PluginRoutes,
  PublicRoute,
  RouteBoot,
  RouteDoors,
  Visibility,
} from './plugins/plugin.js';
export { PluginError } from './plugins/plugin-error.js';
export type { ModelStep, PluginMiddlewares, ToolCall } from './plugins/plugin-middlewares.js';
export { defineTool, type JsonSchema, type PluginTool, type ToolContext, ToolError } from './plugins/plugin-tool.js';
export { resultOf } from './plugins/result-of.js';
export { tabTool } from './plugins/tab-tool.js';
export type { RuntimeContext, ToolAnswer } from './runtime/runtime-context.js';
export type { TabCall } from './runtime/turn-emit.js';
export { CapabilityMissingError } from './runtime/turn-ucan.js';
export type { CreditAccount, CreditClaim, CreditLedger, TopUp } from './store/credit-ledger.js';
export type { Memory, RecallStore } from './store/recall-store.js';
