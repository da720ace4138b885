interface WeatherCardProps {
  readonly isLoading: boolean;
  readonly args: { readonly city?: string };
  /** What the tool gave, as JSON text. */
  readonly output?: string;
}

/** A call of the oracle's tool `weather`. */
export function WeatherCard({ isLoading, args, output }: WeatherCardProps) {
  if (isLoading || output === undefined) return <p>Looking up {args.city}…</p>;
  const { degrees, unit, sky } = JSON.parse(output) as { degrees?: number; unit?: string; sky?: string };
  if (degrees === undefined) return null;
  return (
    <p>
      <b>{args.city}</b>: {degrees} °{unit}, {sky}
    </p>
  );
}
