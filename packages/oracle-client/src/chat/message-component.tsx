import { type ComponentType, createElement, type ReactNode, useSyncExternalStore } from 'react';
import type { ActionRenderProps } from '../actions/action.js';
import { useOraclesRuntime } from '../provider/oracles-context.js';
import type { UiComponents } from './chat-options.js';
import type { IMessageComponent } from './message.js';
import { parsedOutput } from './parsed-output.js';
import type { CheckingComponent } from './ui-component.js';

export interface MessageComponentProps {
  readonly part: IMessageComponent;
  /** In the place of those that the chat of the session was given. */
  readonly uiComponents?: UiComponents | undefined;
}

/**
 * What the page shows of a component in a message: what an action renders of itself, the component of that name, or the one
 * that stands in for all of its kind; nothing where the page has none.
 */
export function MessageComponent({ part, uiComponents }: MessageComponentProps): ReactNode {
  const { actions, components } = useOraclesRuntime();
  const version = () => `${actions.version(part.name)} ${components.version(part.sessionId)}`;
  useSyncExternalStore((listener) => subscribed([actions, components], listener), version, version);
  // What was kept of a call does not tell an action from a tool: their names do.
  if (part.kind === 'action_call' || part.kind === 'tool_call') {
    const render = actions.find(part.name)?.render;
    if (render !== undefined) return render(actionProps(part) as ActionRenderProps<never>);
  }
  const own = uiComponents ?? components.find(part.sessionId) ?? {};
  const component = componentFor(part, own);
  return component === undefined ? null : createElement(component, propsOf(part));
}

/** The component that shows a part: of its name if it can, else the one that stands in; undefined where there is none. Pure. */
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
  const { kind, name, id, sessionId, args, status, output, error } = part;
  const shared = { id, status, isLoading: status === 'isRunning' };
  switch (kind) {
    case 'tool_call':
      return { ...shared, sessionId, toolName: name, args, output, error };
    case 'action_call':
      return { ...shared, sessionId, actionName: name, args, output, error };
    case 'error':
      return { ...shared, args, output, error };
    case 'render_component':
      // The properties that the agent has chosen, but for those that say which component it is.
      return { ...args, ...shared };
  }
}
