export interface ToolCallProps {
  readonly toolName?: string;
  readonly actionName?: string;
  readonly status?: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output?: string;
  readonly error?: string;
}

/** A call of a tool that this page has no picture of. */
export function ToolCallView({ toolName, actionName, status, args, output, error }: ToolCallProps) {
  const outcome = status === 'isRunning' ? 'running' : status === 'error' || error ? 'failed' : 'done';
  return (
    <details className="tool-card">
      <summary>
        <code>{toolName ?? actionName}</code>{' '}
        <span className={`badge ${outcome === 'failed' ? 'bad' : outcome === 'done' ? 'good' : ''}`}>{outcome}</span>
      </summary>
      <pre>{JSON.stringify(args, null, 2)}</pre>
      {output === undefined && error === undefined ? null : <pre>{pretty(error ?? output ?? '')}</pre>}
    </details>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
