interface TurnFailureProps {
  readonly error?: string;
  readonly output?: string;
}

/** Why an answer ended early. */
export function TurnFailure({ error, output }: TurnFailureProps) {
  return <span className="tool-card badge bad">{error ?? output ?? 'The answer failed.'}</span>;
}
