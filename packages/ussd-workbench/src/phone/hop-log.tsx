import { useState } from 'react';
import { screenOf, type WireRequest } from '../wire/aggregators.js';
import type { Hop } from './handset.js';
import { sizeOf } from './message-size.js';

interface HopEntryProps {
  readonly hop: Hop;
  readonly count: number;
  /** Sends the hop again; undefined for a hop that cannot be sent again. */
  readonly resend: ((hop: Hop) => Promise<boolean>) | undefined;
}

function HopEntry({ hop, count, resend }: HopEntryProps) {
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
          {resend === undefined || reply === undefined ? null : (
            <div className="row">
              <button
                type="button"
                className="tight"
                onClick={() => void resend(hop).then((same) => setRepeated(same ? 'same' : 'other'))}
              >
                Send again
              </button>
              <span role="status" className="small">
                {repeated === 'same' ? 'Same response: the input was not processed twice.' : null}
                {repeated === 'other' ? 'The response differs from the first one.' : null}
              </span>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

/** The request as text, with JSON indented. */
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
      <span className={`badge ${screen.kind === 'CON' ? 'good' : screen.kind === 'failed' ? 'bad' : 'accent'}`}>
        {screen.kind === 'failed' ? 'failed' : screen.kind}
      </span>
      <span className="small quiet hop-figures">
        {screen.kind === 'failed' ? reply.body.slice(0, 60) : `${used}/${limit} ${unit}`} · {reply.replyBytes} B ·{' '}
        {reply.tookMs} ms
      </span>
    </>
  );
}

interface HopLogProps {
  readonly hops: readonly Hop[];
  readonly resend: (hop: Hop) => Promise<boolean>;
}

/** The requests and responses, newest first. */
export function HopLog({ hops, resend }: HopLogProps) {
  return (
    <section className="card stack hop-log" aria-labelledby="hop-log-heading">
      <h2 id="hop-log-heading">Requests</h2>
      {hops.length === 0 ? (
        <p className="quiet">
          Each press of the green key is one request to the gateway. It answers <code>CON</code> to continue or{' '}
          <code>END</code> to close. Requests appear here after the first dial.
        </p>
      ) : (
        <ol className="hops">
          {hops.map((hop, index) => (
            <HopEntry key={hop.id} hop={hop} count={hops.length - index} resend={index === 0 ? resend : undefined} />
          ))}
        </ol>
      )}
    </section>
  );
}
