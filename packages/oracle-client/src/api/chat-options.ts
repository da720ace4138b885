import type { ComponentType } from 'react';
import type { ToolSchema } from './tools/tool-schema.js';

/** Where an oracle is reached, in the place of what its entity on the chain says. */
export interface EndpointOverrides {
  readonly baseUrl?: string;
  /** Default: the base URL. */
  readonly wsUrl?: string;
}

export interface IBrowserTool {
  readonly toolName: string;
  readonly description: string;
  readonly schema: ToolSchema;
  /** Called with arguments that fit the schema. What it gives, or throws, goes to the model. */
  // biome-ignore lint/suspicious/noExplicitAny: a map holds tools of any arguments; each schema checks its own.
  readonly fn: (args: any) => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a map holds components of any properties.
export type UiComponents = Readonly<Record<string, ComponentType<any>>>;

export interface IChatOptions {
  readonly oracleDid: string;
  /** The session to read and write; nothing is asked for while it is empty. */
  readonly sessionId: string;
  /** Called with the claims to be paid when the oracle asks for payment. */
  readonly onPaymentRequiredError: (claimIds: string[]) => void;
  /** What the agent may call in this tab, by name. */
  readonly browserTools?: Readonly<Record<string, IBrowserTool>>;
  /** What shows `render_component` events and calls of tools, by name; `ToolCall` and `Error` stand in for others. */
  readonly uiComponents?: UiComponents;
  readonly overrides?: EndpointOverrides;
  /** `batched` (default) shows what has come once for each frame of the screen, `immediate` each piece at once. */
  readonly streamingMode?: 'batched' | 'immediate';
  /** One of the oracle's models; default: the oracle's own choice. */
  readonly model?: string;
}

/** What may go along with a message. */
export interface SendOptions {
  /** At most 10: of `uploadAttachment`, or each with `mxcUri` or `eventId`, `filename` and `mimetype`. */
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  /** Free-form, for plugins of the oracle. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Invocations for protected tools of MCP servers, by the name of the tool. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
}

/** How a message is sent, and who is told what it costs. */
export interface Sending {
  readonly options: SendOptions;
  readonly onPaymentRequired: (claimIds: string[]) => void;
}
