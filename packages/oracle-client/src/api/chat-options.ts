import type { ComponentType } from 'react';
import type { ToolSchema } from './tools/tool-schema.js';

/** URLs of an oracle that take precedence over its entity on the chain. */
export interface EndpointOverrides {
  readonly baseUrl?: string;
  /** Default: the base URL. */
  readonly wsUrl?: string;
}

export interface IBrowserTool {
  readonly toolName: string;
  readonly description: string;
  readonly schema: ToolSchema;
  /** Called with arguments that match the schema. The result or error goes to the model. */
  // biome-ignore lint/suspicious/noExplicitAny: a map holds tools of any arguments; each schema checks its own.
  readonly fn: (args: any) => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a map holds components of any properties.
export type UiComponents = Readonly<Record<string, ComponentType<any>>>;

export interface IChatOptions {
  readonly oracleDid: string;
  /** The session to read and write. Nothing is requested while it is empty. */
  readonly sessionId: string;
  /** Called with the claims to pay when the oracle requires payment. */
  readonly onPaymentRequiredError: (claimIds: string[]) => void;
  /** Client tools that the agent may call, by name. */
  readonly browserTools?: Readonly<Record<string, IBrowserTool>>;
  /** Components for `render_component` events and tool calls, by name. `ToolCall` and `Error` are the fallbacks. */
  readonly uiComponents?: UiComponents;
  readonly overrides?: EndpointOverrides;
  /** `batched` (default) renders received text once for each frame of the screen, `immediate` renders each piece at once. */
  readonly streamingMode?: 'batched' | 'immediate';
  /** One of the oracle's models; default: the oracle's own choice. */
  readonly model?: string;
}

/** The optional parts of a message. */
export interface SendOptions {
  /** At most 10: of `uploadAttachment`, or each with `mxcUri` or `eventId`, `filename` and `mimetype`. */
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  /** Free-form, for plugins of the oracle. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Invocations for protected tools of MCP servers, by the name of the tool. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
}

/** Options of a message and the payment callback. */
export interface Sending {
  readonly options: SendOptions;
  readonly onPaymentRequired: (claimIds: string[]) => void;
}
