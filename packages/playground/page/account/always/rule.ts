/** What a user has said of tools for good. `*` is any. `createdAt` is ISO 8601, UTC. */
export interface Rule {
  readonly id: string;
  readonly says: 'allow' | 'ask';
  readonly plugin: string;
  readonly toolName: string;
  readonly createdAt: string;
}

/** The tools of a rule, in words. */
export function toolsOf({ plugin, toolName }: Pick<Rule, 'plugin' | 'toolName'>): string {
  if (toolName === '*') return plugin === '*' ? 'all tools' : `all tools of ${plugin}`;
  return plugin === '*' ? toolName : `${toolName} (${plugin})`;
}
