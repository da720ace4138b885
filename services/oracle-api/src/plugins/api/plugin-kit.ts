/** API for plugin authors. */

export { ServiceError } from '@mlango/service-kit/errors';
export { callerOf } from '@mlango/ucan-auth/fastify';
export type { ForgottenRows, OwnRow, RetainedRows as KeptRows } from '../../account/account-data.js';
export type { Converse, PluginMessage as Said, PluginReply as Heard } from '../../agent/converse.js';
export type { BrowserCall as TabCall } from '../../agent/prompt/emit.js';
export type { Visibility } from '../../agent/prompt/instructions.js';
export { CapabilityMissingError } from '../../agent/prompt/turn-ucan.js';
export type { DeclaredAction } from '../../agent/turn-request.js';
export type { AddedFile, FileIntake, FilesFrom } from '../../files/file-intake.js';
export type { ModelTool as DeclaredTool } from '../../models/language-model.js';
export type { JsonSchema } from '../../models/tool-schemas/tool-schema.js';
export type { MeteredTurn, PaymentDemand, PaymentGate, UsageMeter } from '../../runs/payment.js';
export { definePlugin } from './define-plugin.js';
export type {
  Grant,
  Grants,
  ObjectModel,
  ObjectRequest,
  OfUser,
  OwnCharges,
  OwnPreferences,
  OwnSessions,
} from './grants.js';
export type {
  ListedThing,
  OraclePlugin,
  PluginBoot,
  PluginLimits,
  PluginManifest,
  PluginResource,
  PluginRoutes,
  PublicRoute,
  RouteBoot,
  RouteServices as RouteDoors,
} from './plugin.js';
export { PluginError } from './plugin-error.js';
export type { ModelStep, PluginMiddlewares, ToolCall } from './plugin-middlewares.js';
export type {
  Kv,
  KvEntry,
  KvPut,
  KvPutOutcome,
  KvValue,
  PluginDatabase,
  PluginKv,
  PluginMigration,
  PluginTables,
} from './plugin-storage.js';
export {
  type ApprovalWords,
  AskUser,
  defineTool,
  OutcomeUnknownError,
  type PluginTool,
  resultOf,
  type ToolContext,
  type ToolEffects,
  ToolError,
  type ToolFile,
  tabTool,
} from './plugin-tool.js';
export type { RuntimeContext, ToolAnswer } from './runtime-context.js';
