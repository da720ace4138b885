import { type ComponentType, createElement, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import { type CallStatus, type IMessageComponent, type MessageContent, parsedOutput } from '../api/chat/message.js';
import type { UiComponents } from '../api/chat-options.js';
import type { ActionRenderProps } from '../api/tools/action.js';
import { type ArgsOf, type JsonSchema, type ToolSchema, valueFor } from '../api/tools/tool-schema.js';
import { useOraclesRuntime } from './oracles-context.js';

/**
 * The content of a message, for rendering below an `OraclesProvider`. Text stays text: nothing in it becomes markup, so an
 * agent's output can do nothing in the page; a page that wants Markdown renders the text parts itself.
 *
 * @param uiComponents default: the components of `useChat` for the session.
 */
export function renderMessageContent(content: MessageContent, uiComponents?: UiComponents): ReactNode {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <MessageComponent key={`${part.kind} ${part.id}`} part={part} uiComponents={uiComponents} />
    ),
  );
}

export interface CallSchemas<Args extends ToolSchema, Output extends ToolSchema> {
  /** Schema of a call's arguments, or of a rendered component's properties. */
  readonly args: Args;
  /** Schema of the tool's result. */
  readonly output?: Output;
}

/** Properties of a component with schemas. */
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

type Properties = Readonly<Record<string, unknown>>;

/** A `uiComponents` entry that can check its properties. */
export interface CheckingComponent {
  (properties: Properties): ReactElement | null;
  readonly fits: (properties: Properties) => boolean;
}

/**
 * A component for `uiComponents` with typed properties: arguments and output parsed by the schemas. A call that does not match,
 * or a schema that validates asynchronously, is shown by the fallback. Create it outside of components.
 */
export function uiComponent<Args extends ToolSchema, Output extends ToolSchema = JsonSchema>(
  schemas: CallSchemas<Args, Output>,
  component: ComponentType<UiComponentProps<ArgsOf<Args>, ArgsOf<Output>>>,
): CheckingComponent {
  const propsFor = ({ id, status, isLoading, ...properties }: Properties) => {
    // A call has `args`; a rendered component has its properties at the top level.
    const isCall = 'toolName' in properties || 'actionName' in properties;
    const args = valueFor(schemas.args, isCall ? properties['args'] : properties);
    const text = isCall ? properties['output'] : undefined;
    const output = typeof text === 'string' ? valueFor(schemas.output ?? {}, parsedOutput(text)) : { value: undefined };
    const error = isCall ? properties['error'] : undefined;
    return args && output && { id, status, isLoading, args: args.value, output: output.value, error };
  };
  const shown = (properties: Properties) => {
    const props = propsFor(properties);
    return props === undefined ? null : createElement(component, props as never);
  };
  return Object.assign(shown, { fits: (properties: Properties) => propsFor(properties) !== undefined });
}

export interface MessageComponentProps {
  readonly part: IMessageComponent;
  /** Replaces the components of the chat of the session. */
  readonly uiComponents?: UiComponents | undefined;
}

/**
 * Renders a component of a message: the rendering of an action, the component of that name, or the fallback for its kind; nothing
 * if the page has none.
 */
export function MessageComponent({ part, uiComponents }: MessageComponentProps): ReactNode {
  const { actions, components } = useOraclesRuntime();
  const version = () => `${actions.version(part.name)} ${components.version(part.sessionId)}`;
  useSyncExternalStore((listener) => subscribed([actions, components], listener), version, version);
  // A stored call does not distinguish actions from tools, so the name decides.
  if (part.kind === 'action_call' || part.kind === 'tool_call') {
    const render = actions.find(part.name)?.render;
    if (render !== undefined) return render(actionProps(part) as ActionRenderProps<never>);
  }
  const own = uiComponents ?? components.find(part.sessionId) ?? {};
  const component = componentFor(part, own);
  return component === undefined ? null : createElement(component, propsOf(part));
}

/** The component of a part: by its name if it accepts the part, else the fallback; undefined without one. Pure. */
export function componentFor(part: IMessageComponent, own: UiComponents): ComponentType | undefined {
  const named = [part.name, ...standIns[part.kind]].filter((name) => Object.hasOwn(own, name));
  const able = named.find((name) => (own[name] as Partial<CheckingComponent>).fits?.(propsOf(part)) ?? true);
  return able === undefined ? undefined : own[able];
}

const standIns = {
  tool_call: ['ToolCall'],
  action_call: ['AgActionToolCall', 'ToolCall'],
  error: ['Error'],
  render_component: [],
} as const;

type Subscribing = { readonly subscribe: (listener: () => void) => () => void };

function subscribed(sources: readonly Subscribing[], listener: () => void): () => void {
  const ends = sources.map(({ subscribe }) => subscribe(listener));
  return () => {
    for (const end of ends) end();
  };
}

function actionProps({ status = 'done', args, output, error }: IMessageComponent): ActionRenderProps {
  return {
    status,
    args,
    ...(output === undefined ? {} : { result: parsedOutput(output) }),
    ...(error === undefined ? {} : { error }),
  };
}

function propsOf(part: IMessageComponent): Record<string, unknown> {
  const { kind, name, id, sessionId, args, status, output, error, isUncertain } = part;
  const shared = { id, status, isLoading: status === 'isRunning' };
  const call = { ...shared, sessionId, args, output, error, ...(isUncertain === true ? { isUncertain } : {}) };
  switch (kind) {
    case 'tool_call':
      return { ...call, toolName: name };
    case 'action_call':
      return { ...call, actionName: name };
    case 'error':
      return { ...shared, args, output, error };
    case 'render_component':
      // The agent's properties, without the fields that identify the component.
      return { ...args, ...shared };
  }
}
