'use client';

export type { ApprovalDecision, IApproval } from './api/approvals.js';
export type { IAttachment, UploadOptions, UploadOutcome, UploadProblem } from './api/attachments.js';
export type { OracleAddress } from './api/chain/find-oracle.js';
export type { OraclePrice } from './api/chain/oracle-price.js';
export type { IRun } from './api/chat/chat-snapshot.js';
export type {
  AnswerEnding,
  CallStatus,
  ChatStatus,
  IMessage,
  IMessageComponent,
  IToolCall,
  MessageContent,
} from './api/chat/message.js';
export type { IRunMoment, IRunRecord } from './api/chat/run-records.js';
export type { EndpointOverrides, IBrowserTool, IChatOptions, SendOptions, UiComponents } from './api/chat-options.js';
export type { ChainMessage, Coin } from './api/contracting/chain-message.js';
export type { ContractTerms } from './api/contracting/contract.js';
export { getOpenIdToken, type IOpenIDToken, type OpenIdTokenRequest } from './api/identity/openid-token.js';
export type { IWallet, SignArtifact, SignedArtifact, TransactSignX } from './api/identity/wallet.js';
export type { RequestOptions } from './api/requests/oracle-connection.js';
export { OracleRequestError } from './api/requests/request-error.js';
export type { FoundMessage, IChatSession } from './api/sessions.js';
export type {
  BrowserToolCallEvent,
  OracleEvent,
  RenderComponentEvent,
  ToolCallEvent,
} from './api/sockets/oracle-event.js';
export type { IRunUsage, RunEvent } from './api/streams/run-event.js';
// The public interface of the package.
export type { ActionRenderProps, IAgAction } from './api/tools/action.js';
export type { ArgsOf, JsonSchema, ToolSchema } from './api/tools/tool-schema.js';
export { type IOraclesContext, useOraclesContext } from './hooks/oracles-context.js';
export { type IOraclesProviderProps, OraclesProvider } from './hooks/oracles-provider.js';
export {
  type CallSchemas,
  type CheckingComponent,
  renderMessageContent,
  type UiComponentProps,
  uiComponent,
} from './hooks/ui-components.js';
export { useAgAction } from './hooks/use-ag-action.js';
export type { IAttachments } from './hooks/use-attachments.js';
export { type IChat, useChat, useRunRecords } from './hooks/use-chat.js';
export {
  type ContractOptions,
  type IContractOracle,
  type IContractOracleParams,
  useContractOracle,
} from './hooks/use-contract-oracle.js';
export { type IAnswerFeedback, type IFeedback, useFeedback } from './hooks/use-feedback.js';
export { type IGetOpenIdToken, type OpenIdTokenOptions, useGetOpenIdToken } from './hooks/use-get-openid-token.js';
export {
  type IMemory,
  type IMemoryEngine,
  type MemoryList,
  type MemoryOptions,
  type NewMemory,
  useMemoryEngine,
} from './hooks/use-memory-engine.js';
export {
  type IOracleConfig,
  type IOracleModel,
  type IOracleModels,
  type IOraclesConfig,
  useOracleModels,
  useOraclesConfig,
} from './hooks/use-oracle-endpoints.js';
export { type IOracleSessions, type OracleSessionsOptions, useOracleSessions } from './hooks/use-oracle-sessions.js';
export { type IUserPreferences, type UserPreferences, useUserPreferences } from './hooks/use-user-preferences.js';
