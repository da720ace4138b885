import type { Claim, Dispute } from './claims.js';
import { Facts, IdLink, StatusBadge } from './parts/facts.js';
import { coinText, dayOf, wordOf } from './parts/format.js';
import { ChainLink } from './parts/links.js';
import { Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';
import { useChainQuery } from './parts/requests.js';

export function ClaimView({ id }: { readonly id: string }) {
  return (
    <Single kind="Claim" id={id} path={paths.claim(id)} list={['claims', 'claims']}>
      {({ claim }: { claim: Claim }) => <ClaimCard claim={claim} />}
    </Single>
  );
}

function ClaimCard({ claim }: { readonly claim: Claim }) {
  return (
    <div className="columns">
      <article className="card stack">
        <h2 className="break">{claim.claim_id}</h2>
        <StatusBadge status={claim.evaluation?.status ?? 'PENDING'} />
        <Facts
          facts={[
            [
              'Collection',
              <ChainLink key="collection" to={['collections', claim.collection_id]}>
                {claim.collection_id}
              </ChainLink>,
            ],
            ['Submitted', dayOf(claim.submission_date)],
            ['By', <IdLink key="by" id={claim.agent_did} />],
            ['Account', <IdLink key="account" id={claim.agent_address} />],
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
      <Evaluations claim={claim} />
      <Disputes claimId={claim.claim_id} />
    </div>
  );
}

function Evaluations({ claim }: { readonly claim: Claim }) {
  const history = [...claim.evaluation_history, ...(claim.evaluation === null ? [] : [claim.evaluation])];
  return (
    <section className="card stack" aria-label="Evaluations">
      <h3>Evaluations</h3>
      {history.length === 0 ? <p className="quiet">Not evaluated yet</p> : null}
      <ol className="linked">
        {history.map(({ oracle, agent_did: agent, status, evaluation_date: date, amount }) => (
          <li key={`${oracle} ${date}`}>
            <span className="row">
              <StatusBadge status={status} />
              <span>{dayOf(date)}</span>
            </span>
            <span className="small">
              <IdLink id={oracle} /> by <IdLink id={agent} isShort />
            </span>
            {amount.length > 0 ? <span className="small">{amount.map(coinText).join(', ')}</span> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Only disputed claims have disputes: others show nothing. */
function Disputes({ claimId }: { readonly claimId: string }) {
  const { answer } = useChainQuery(paths.disputesAbout(claimId));
  const { disputes = [] } = (answer?.ok === true ? answer.body : {}) as { disputes?: readonly Dispute[] };
  if (disputes.length === 0) return null;
  return (
    <section className="card stack" aria-label="Disputes">
      <h3>Disputes</h3>
      <ul className="linked">
        {disputes.map(({ data, status, disputer_did: by, submitted_at: date }) => (
          <li key={`${by} ${date}`}>
            <span className="row">
              <StatusBadge status={status.replace('DISPUTE_STATUS_', '')} />
              <span>{dayOf(date)}</span>
            </span>
            <IdLink id={by} isShort />
            {data === null ? null : (
              <ChainLink to={['disputes', data.proof]} className="small mono break">
                {data.proof}
              </ChainLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function DisputeView({ id }: { readonly id: string }) {
  return (
    <Single kind="Dispute" id={id} path={paths.dispute(id)}>
      {({ dispute }: { dispute: Dispute }) => (
        <article className="card stack">
          <h2 className="break">Dispute {id}</h2>
          <StatusBadge status={dispute.status.replace('DISPUTE_STATUS_', '')} />
          <Facts
            facts={[
              [
                'Subject',
                <ChainLink key="about" to={['claims', dispute.subject_id]} className="mono">
                  {dispute.subject_id}
                </ChainLink>,
              ],
              ['Concerns', wordOf(dispute.target_role, 'DISPUTE_TARGET_ROLE_')],
              ['By', <IdLink key="by" id={dispute.disputer_did} />],
              ['Submitted', dayOf(dispute.submitted_at)],
            ]}
          />
        </article>
      )}
    </Single>
  );
}
