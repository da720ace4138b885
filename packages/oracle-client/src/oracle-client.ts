'use client';

// The package's one public door: what is not named here is not part of its interface.
export type { ActionRenderProps, IAgAction } from './actions/action.js';
export type { ArgsOf, JsonSchema, ToolSchema } from './actions/tool-schema.js';
export { useAgAction } from './actions/use-ag-action.js';
export type { ApprovalDecision, IApproval } from './approvals/approval.js';
export type { IAttachment, UploadOptions, UploadOutcome, UploadProblem } from './attachments/attachment.js';
export type { IAttachments } from './attachments/use-attachments.js';
export type { OraclePrice } from './chain/oracle-price.js';
export { type IOracleConfig, type IOraclesConfig, useOraclesConfig } from './chain/use-oracles-config.js';
export type { EndpointOverrides, IBrowserTool, IChatOptions, SendOptions, UiComponents } from './chat/chat-options.js';
export type { IRun } from './chat/chat-snapshot.js';
export type {
  AnswerEnding,
  CallStatus,
  ChatStatus,
  IMessage,
  IMessageComponent,
  IToolCall,
  MessageContent,
} from './chat/message.js';
export { renderMessageContent } from './chat/render-message-content.js';
export type { IRunMoment, IRunRecord } from './chat/run-records.js';
export { type CallSchemas, type CheckingComponent, type UiComponentProps, uiComponent } from './chat/ui-component.js';
export { type IChat, useChat } from './chat/use-chat.js';
export { useRunRecords } from './chat/use-run-records.js';
export type { ChainMessage, Coin } from './contracting/chain-message.js';
export type { ContractTerms } from './contracting/contract-terms.js';
export {
  type ContractOptions,
  type IContractOracle,
  type IContractOracleParams,
  useContractOracle,
} from './contracting/use-contract-oracle.js';
export type { OracleAddress } from './endpoints/find-oracle.js';
export { type IAnswerFeedback, type IFeedback, useFeedback } from './feedback/use-feedback.js';
export { getOpenIdToken, type IOpenIDToken, type OpenIdTokenRequest } from './matrix/get-openid-token.js';
export { type IGetOpenIdToken, type OpenIdTokenOptions, useGetOpenIdToken } from './matrix/use-get-openid-token.js';
export {
  type IMemory,
  type IMemoryEngine,
  type MemoryList,
  type MemoryOptions,
  type NewMemory,
  useMemoryEngine,
} from './memories/use-memory-engine.js';
export { type IOracleModel, type IOracleModels, useOracleModels } from './models/use-oracle-models.js';
export { type IUserPreferences, type UserPreferences, useUserPreferences } from './preferences/use-user-preferences.js';
export { type IOraclesContext, useOraclesContext } from './provider/oracles-context.js';
export { type IOraclesProviderProps, OraclesProvider } from './provider/oracles-provider.js';
export type { IWallet, SignArtifact, SignedArtifact, TransactSignX } from './provider/wallet.js';
export type {
  BrowserToolCallEvent,
  OracleEvent,
  RenderComponentEvent,
  ToolCallEvent,
} from './realtime/oracle-event.js';
export type { RequestOptions } from './requests/oracle-connection.js';
export { OracleRequestError } from './requests/request-error.js';
export type { FoundMessage, IChatSession } from './sessions/session.js';
export { type IOracleSessions, type OracleSessionsOptions, useOracleSessions } from './sessions/use-oracle-sessions.js';
export type { IRunUsage, RunEvent } from './streams/run-event.js';
export type { IDeletions } from './undo/use-deletions.js';
