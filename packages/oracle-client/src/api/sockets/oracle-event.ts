type Payload = Readonly<Record<string, unknown>> & { readonly sessionId: string; readonly requestId: string };

export interface ToolCallEvent {
  readonly eventName: 'tool_call';
  readonly payload: Payload;
}

export interface RenderComponentEvent {
  readonly eventName: 'render_component';
  readonly payload: Payload;
}

export interface BrowserToolCallEvent {
  readonly eventName: 'browser_tool_call';
  readonly payload: Payload;
}

/** Events that an oracle sends to a page during a run. */
export type OracleEvent = ToolCallEvent | RenderComponentEvent | BrowserToolCallEvent;
