import { hrefOf } from '../../shell/use-route.js';
import { useAnswer } from '../asking/use-answer.js';
import { useQueryPath } from '../description/description-context.js';
import { Facts } from '../parts/facts.js';
import { Outcome } from '../parts/outcome.js';
import { RawAnswer } from '../parts/raw-answer.js';
import { StatusBadge } from '../parts/status-badge.js';
import { coinText, dayOf, wordOf } from '../parts/words.js';
import type { Claim } from './claim.js';

export function ClaimView({ id }: { readonly id: string }) {
  const asked = useAnswer(useQueryPath('ixo.claims.v1beta1.Query.Claim', { id }));
  return (
    <section className="stack" aria-label={`Claim ${id}`} aria-busy={asked.isLoading}>
      <p>
        <a href={hrefOf('chain', 'claims')}>← All claims</a>
      </p>
      <Outcome asked={asked}>{(body) => <ClaimCard claim={(body as { claim: Claim }).claim} />}</Outcome>
      <RawAnswer asked={asked} />
    </section>
  );
}

function ClaimCard({ claim }: { readonly claim: Claim }) {
  const history = [...claim.evaluation_history, ...(claim.evaluation === null ? [] : [claim.evaluation])];
  return (
    <div className="columns">
      <article className="card stack">
        <h2 className="break">{claim.claim_id}</h2>
        <StatusBadge status={claim.evaluation?.status ?? 'PENDING'} />
        <Facts
          facts={[
            ['Collection', claim.collection_id],
            ['Handed in', dayOf(claim.submission_date)],
            [
              'By',
              <span key="by" className="mono">
                {claim.agent_did}
              </span>,
            ],
            [
              'Account',
              <span key="account" className="mono">
                {claim.agent_address}
              </span>,
            ],
            ['Amount', claim.amount.map(coinText).join(', ')],
            ['By intent', claim.use_intent ? 'Yes' : 'No'],
          ]}
        />
      </article>
      <section className="card stack" aria-label="Payments">
        <h3>Payments</h3>
        <Facts
          facts={Object.entries(claim.payments_status ?? {}).map(
            ([name, status]) => [wordOf(name), <StatusBadge key={name} status={status} />] as const,
          )}
        />
      </section>
      <section className="card stack" aria-label="Evaluations">
        <h3>Evaluations</h3>
        {history.length === 0 ? <p className="quiet">Nobody has judged it yet.</p> : null}
        <ol className="linked">
          {history.map(({ oracle, status, evaluation_date: date, amount }) => (
            <li key={`${oracle} ${date}`}>
              <span className="row">
                <StatusBadge status={status} />
                <span>{dayOf(date)}</span>
              </span>
              <a className="small mono" href={hrefOf('chain', 'entities', oracle)}>
                {oracle}
              </a>
              {amount.length > 0 ? <span className="small">{amount.map(coinText).join(', ')}</span> : null}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
