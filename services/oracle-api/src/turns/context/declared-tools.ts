/** Something of the user's tab that a message offers to the model: its own words, which nobody here has looked at. */
export interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments; one without constraints allows any object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface DeclaredAction extends DeclaredTool {
  /** The tab shows something of its own while the action runs, and when it has. */
  readonly hasRender?: boolean | undefined;
}

/** What a message declares: browser tools and AG-UI actions of the tab it came from. */
export interface DeclaredTools {
  readonly tools?: readonly DeclaredTool[] | undefined;
  readonly agActions?: readonly DeclaredAction[] | undefined;
}
