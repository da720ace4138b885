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

/** What an oracle tells a page while it answers. */
export type OracleEvent = ToolCallEvent | RenderComponentEvent | BrowserToolCallEvent;
