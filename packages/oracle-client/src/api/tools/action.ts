import type { ReactNode } from 'react';
import type { ArgsOf, ToolSchema } from './tool-schema.js';

export interface ActionRenderProps<Args = Readonly<Record<string, unknown>>> {
  /** `done` when the action is complete. */
  readonly status: 'isRunning' | 'done' | 'error';
  readonly args: Args;
  /** The handler's result, once the action is complete. */
  readonly result?: unknown;
  /** Why it failed. */
  readonly error?: string;
}

/** An action that the agent may have done in this page. */
export interface IAgAction<Schema extends ToolSchema = ToolSchema> {
  readonly name: string;
  /** For the agent: purpose and usage. */
  readonly description: string;
  readonly parameters: Schema;
  /** Called with arguments that match the schema. The result or error goes to the agent. */
  readonly handler: (args: ArgsOf<Schema>) => unknown;
  /** Renders a call in the chat. */
  readonly render?: (props: ActionRenderProps<ArgsOf<Schema>>) => ReactNode;
}

/** An action with any schema; its handler is only called with checked arguments. */
export type MountedAction = Omit<IAgAction, 'handler' | 'render'> & {
  readonly handler: (args: never) => unknown;
  readonly render?: (props: ActionRenderProps<never>) => ReactNode;
};
