import type { Hop } from './handset.js';
import { HopEntry } from './hop-entry.js';

interface HopLogProps {
  readonly hops: readonly Hop[];
  readonly again: (hop: Hop) => Promise<boolean>;
}

/** What went over the wire, newest first. */
export function HopLog({ hops, again }: HopLogProps) {
  return (
    <section className="card stack hop-log" aria-labelledby="hop-log-heading">
      <h2 id="hop-log-heading">Requests</h2>
      {hops.length === 0 ? (
        <p className="quiet">
          Each press of the green key is one request to the gateway. It answers <code>CON</code> to go on or{' '}
          <code>END</code> to close. Dial, and the hops appear here.
        </p>
      ) : (
        <ol className="hops">
          {hops.map((hop, index) => (
            <HopEntry key={hop.id} hop={hop} count={hops.length - index} again={index === 0 ? again : undefined} />
          ))}
        </ol>
      )}
    </section>
  );
}
