/** What whoever runs the oracle says of tools, by name; the first that fits counts. A name may end in `*`. */
export interface ApprovalPolicy {
  readonly tools: readonly { readonly name: string; readonly needs: 'ask' | 'free' }[];
  /** Whether calls whose effects leave the service are asked for where nobody says otherwise. */
  readonly asksOutside: boolean;
}

/** What they have said of one. */
export function needsByPolicy({ tools }: ApprovalPolicy, toolName: string): 'ask' | 'free' | undefined {
  const fits = (name: string) => (name.endsWith('*') ? toolName.startsWith(name.slice(0, -1)) : toolName === name);
  return tools.find(({ name }) => fits(name))?.needs;
}
