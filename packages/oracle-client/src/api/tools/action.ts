import type { ReactNode } from 'react';
import type { ArgsOf, ToolSchema } from './tool-schema.js';

export interface ActionRenderProps<Args = Readonly<Record<string, unknown>>> {
  /** `done` when the action is complete. */
  readonly status: 'isRunning' | 'done' | 'error';
  readonly args: Args;
  /** What the handler gave, once the action is complete. */
  readonly result?: unknown;
  /** Why it failed. */
  readonly error?: string;
}

/** An action that the agent may have done in this page. */
export interface IAgAction<Schema extends ToolSchema = ToolSchema> {
  readonly name: string;
  /** For the agent: what it does, and when to use it. */
  readonly description: string;
  readonly parameters: Schema;
  /** Called with arguments that fit the schema. What it gives, or throws, goes to the agent. */
  readonly handler: (args: ArgsOf<Schema>) => unknown;
  /** What the chat shows of a call. */
  readonly render?: (props: ActionRenderProps<ArgsOf<Schema>>) => ReactNode;
}

/** An action whatever its schema: it is only ever called with arguments that its schema has checked. */
export type MountedAction = Omit<IAgAction, 'handler' | 'render'> & {
  readonly handler: (args: never) => unknown;
  readonly render?: (props: ActionRenderProps<never>) => ReactNode;
};
