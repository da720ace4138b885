/** What a plugin is written with. */

export { ServiceError } from '@mlango/service-kit/errors';
export { callerOf } from '@mlango/ucan-auth/fastify';
export type { PaymentDemand, PaymentGate } from '../../agent/admission.js';
export type { Converse, Heard, Said } from '../../agent/converse.js';
export type { TabCall } from '../../agent/prompt/emit.js';
export { CapabilityMissingError } from '../../agent/prompt/turn-ucan.js';
export type { DeclaredAction } from '../../agent/turn-request.js';
export type { MeteredTurn, UsageMeter } from '../../agent/usage.js';
export type { AddedFile, FileIntake, FilesFrom } from '../../files/file-intake.js';
export type { ModelTool as DeclaredTool } from '../../models/language-model.js';
export { definePlugin } from './define-plugin.js';
export type { Grant, Grants, OfUser, OwnCharges, OwnPreferences, OwnSessions } from './grants.js';
export type { ObjectModel, ObjectRequest } from './object-model.js';
export type { ForgottenRows, KeptRows, OwnRow } from './own-rows.js';
export type {
  OraclePlugin,
  PluginBoot,
  PluginManifest,
  PluginRoutes,
  PublicRoute,
  RouteBoot,
  RouteDoors,
  Visibility,
} from './plugin.js';
export { PluginError } from './plugin-error.js';
export type { Kv, KvEntry, KvPut, KvPutOutcome, KvValue, PluginKv } from './plugin-kv.js';
export type { PluginLimits } from './plugin-limits.js';
export type { ModelStep, PluginMiddlewares, ToolCall } from './plugin-middlewares.js';
export type { ListedThing, PluginResource } from './plugin-resource.js';
export type { PluginDatabase, PluginMigration, PluginTables } from './plugin-tables.js';
export {
  type ApprovalWords,
  AskUser,
  defineTool,
  type JsonSchema,
  OutcomeUnknownError,
  type PluginTool,
  type ToolContext,
  type ToolEffects,
  ToolError,
  type ToolFile,
} from './plugin-tool.js';
export { resultOf } from './result-of.js';
export type { RuntimeContext, ToolAnswer } from './runtime-context.js';
export { tabTool } from './tab-tool.js';
