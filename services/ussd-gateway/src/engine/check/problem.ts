/** Something in a flow that would break a flow. */
export interface Problem {
  /** Where: a path into the flow, such as `['screens', 'preMenu']` or `['texts', 'en', 'welcome']`. */
  readonly at: readonly string[];
  /** The problem and its fix. */
  readonly description: string;
}

/** One line with the place and the problem. */
export function printProblem({ at: [part = '', ...names], description }: Problem): string {
  if (part === 'texts') return `${['texts', ...names.slice(0, 1)].join('.')}: "${names[1] ?? ''}" ${description}`;
  return `${part === 'screens' ? (names[0] ?? part) : [part, ...names].join('.')}: ${description}`;
}
