import { useState } from 'react';
import { screenOf, type WireRequest } from '../wire/aggregators.js';
import type { Hop } from './handset.js';
import { sizeOf } from './message-size.js';

interface HopEntryProps {
  readonly hop: Hop;
  readonly count: number;
  /** Given for the hop that can be delivered once more. */
  readonly again: ((hop: Hop) => Promise<boolean>) | undefined;
}

export function HopEntry({ hop, count, again }: HopEntryProps) {
  const [repeated, setRepeated] = useState<'same' | 'other'>();
  const { request, reply, input } = hop;
  return (
    <li>
      <details className="hop">
        <summary>
          <span className="quiet">{count}</span>
          <span className="mono hop-input">{input}</span>
          {reply === undefined ? <span className="quiet">…</span> : <Outcome request={request} reply={reply} />}
        </summary>
        <div className="stack hop-wire">
          <pre>{printRequest(request)}</pre>
          {reply === undefined ? null : (
            <pre>
              {`${reply.status === 0 ? '—' : reply.status} after ${reply.tookMs} ms, ${reply.requestBytes} bytes out, ${reply.replyBytes} in\n${reply.body}`}
            </pre>
          )}
          {again === undefined || reply === undefined ? null : (
            <div className="row">
              <button
                type="button"
                className="tight"
                onClick={() => void again(hop).then((same) => setRepeated(same ? 'same' : 'other'))}
              >
                Deliver again
              </button>
              <span role="status" className="small">
                {repeated === 'same' ? 'The same answer: nothing was done twice.' : null}
                {repeated === 'other' ? 'The answer differs from the one before.' : null}
              </span>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

/** As it goes over the wire, with JSON in lines. */
function printRequest({ method, path, type, body }: WireRequest): string {
  const readable = type === 'application/json' && body !== undefined ? JSON.stringify(JSON.parse(body), null, 2) : body;
  return [
    `${method} ${path}`,
    ...(type === undefined ? [] : [type]),
    ...(readable === undefined ? [] : [readable]),
  ].join('\n');
}

function Outcome({ request, reply }: { readonly request: WireRequest; readonly reply: NonNullable<Hop['reply']> }) {
  const screen = screenOf(request.aggregator, reply);
  const { used, limit, unit } = sizeOf(screen.message);
  return (
    <>
      <span className={`badge ${screen.kind === 'CON' ? 'good' : screen.kind === 'lost' ? 'bad' : 'accent'}`}>
        {screen.kind === 'lost' ? 'lost' : screen.kind}
      </span>
      <span className="small quiet hop-figures">
        {screen.kind === 'lost' ? reply.body.slice(0, 60) : `${used}/${limit} ${unit}`} · {reply.replyBytes} B ·{' '}
        {reply.tookMs} ms
      </span>
    </>
  );
}

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
