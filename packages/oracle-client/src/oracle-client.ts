'use client';

// The package's one public door: what is not named here is not part of its interface.
export type { ActionRenderProps, ActionStatus } from './actions/action-registry.js';
export type { ArgsOf, JsonSchema, ToolSchema } from './actions/tool-schema.js';
export type { EndpointOverrides, IBrowserTool, IChatOptions, UiComponents } from './chat/chat-options.js';
export type {
  CallStatus,
  ChatStatus,
  IMessage,
  IMessageComponent,
  IToolCall,
  MessageContent,
} from './chat/message.js';
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
