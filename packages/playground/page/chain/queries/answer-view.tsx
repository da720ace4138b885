import type { Answer } from '../asking/ask-chain.js';
import { Facts } from '../parts/facts.js';
import { JsonView } from '../parts/json-view.js';

export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { status, ok, height, headers, tookMs, bytes, body } = answer;
  return (
    <section className="card stack" aria-label="Answer">
      <div className="row">
        <span className={`badge ${ok ? 'good' : 'bad'}`}>{status === 0 ? 'no answer' : status}</span>
        <span className="small quiet">
          {bytes.toLocaleString('en')} bytes in {tookMs} ms
        </span>
        {height === undefined ? null : (
          <span className="badge accent">Block {Number(height).toLocaleString('en')}</span>
        )}
      </div>
      <details>
        <summary>Headers</summary>
        <Facts facts={headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
      </details>
      <JsonView value={body} label="Answer as JSON" />
    </section>
  );
}
