import { type ComponentType, createElement, type ReactElement } from 'react';
import { fitting } from '../actions/fitting.js';
import type { ArgsOf, JsonSchema, ToolSchema } from '../actions/tool-schema.js';
import type { CallStatus } from './message.js';
import { parsedOutput } from './parsed-output.js';

export interface CallSchemas<Args extends ToolSchema, Output extends ToolSchema> {
  /** Of a call, or of what the agent renders. */
  readonly args: Args;
  /** What the tool gives. */
  readonly output?: Output;
}

/** What a component with schemas is given. */
export interface UiComponentProps<Args, Output> {
  readonly id: string;
  readonly status: CallStatus | undefined;
  readonly isLoading: boolean;
  readonly args: Args;
  /** Once the call is done. */
  readonly output: Output | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/** One of `uiComponents` that knows what it can show. */
export interface CheckingComponent {
  (given: Given): ReactElement | null;
  readonly fits: (given: Given) => boolean;
}

/**
 * A component for `uiComponents` that is given arguments and output as its schemas make them. A call that does not fit them, or with schemas that
 * check only after a while, is shown by the component that stands in. To be made outside of components.
 */
export function uiComponent<Args extends ToolSchema, Output extends ToolSchema = JsonSchema>(
  schemas: CallSchemas<Args, Output>,
  component: ComponentType<UiComponentProps<ArgsOf<Args>, ArgsOf<Output>>>,
): CheckingComponent {
  const propsFor = ({ id, status, isLoading, ...given }: Given) => {
    // A call has its arguments apart, what the agent renders is given them as its properties.
    const isCall = 'toolName' in given || 'actionName' in given;
    const args = fitting(schemas.args, isCall ? given['args'] : given);
    const text = isCall ? given['output'] : undefined;
    const output = typeof text === 'string' ? fitting(schemas.output ?? {}, parsedOutput(text)) : { value: undefined };
    const error = isCall ? given['error'] : undefined;
    return args && output && { id, status, isLoading, args: args.value, output: output.value, error };
  };
  const shown = (given: Given) => {
    const props = propsFor(given);
    return props === undefined ? null : createElement(component, props as never);
  };
  return Object.assign(shown, { fits: (given: Given) => propsFor(given) !== undefined });
}
