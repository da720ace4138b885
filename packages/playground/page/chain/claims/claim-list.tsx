import { ScrollBox } from '../../shell/scroll-box.js';
import { hrefOf } from '../../shell/use-route.js';
import { useQueryPath } from '../description/description-context.js';
import { FindForm } from '../parts/find-form.js';
import { Outcome } from '../parts/outcome.js';
import { Pager } from '../parts/pager.js';
import { RawAnswer } from '../parts/raw-answer.js';
import { StatusBadge } from '../parts/status-badge.js';
import { usePages } from '../parts/use-pages.js';
import { coinText, dayOf, shortId } from '../parts/words.js';
import type { Claim } from './claim.js';
import { CollectionCards } from './collection-cards.js';

interface ClaimPage {
  readonly claims: readonly Claim[];
  readonly pagination: { readonly next_key: string | null } | null;
}

export function ClaimList() {
  const pages = usePages<ClaimPage>(useQueryPath('ixo.claims.v1beta1.Query.ClaimList'));
  return (
    <div className="stack">
      <section className="stack" aria-labelledby="claims-heading" aria-busy={pages.isLoading}>
        <div className="row spread">
          <h2 id="claims-heading">Claims</h2>
          <FindForm
            label="Find a claim"
            example="bafkrei…"
            action="Find"
            onFind={(id) => {
              window.location.hash = hrefOf('chain', 'claims', id);
            }}
          />
        </div>
        <Outcome asked={pages}>
          {() => (
            <ScrollBox className="table-frame" label="Claims">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Claim</th>
                    <th scope="col">Collection</th>
                    <th scope="col">Handed in</th>
                    <th scope="col">Judged</th>
                    <th scope="col">Amount</th>
                  </tr>
                </thead>
                <tbody>
                  {pages.page?.claims.map((claim) => (
                    <tr key={claim.claim_id}>
                      <th scope="row">
                        <a className="mono" href={hrefOf('chain', 'claims', claim.claim_id)} title={claim.claim_id}>
                          {shortId(claim.claim_id)}
                        </a>
                      </th>
                      <td>{claim.collection_id}</td>
                      <td>{dayOf(claim.submission_date) ?? '–'}</td>
                      <td>
                        <StatusBadge status={claim.evaluation?.status ?? 'PENDING'} />
                      </td>
                      <td>{claim.amount.map(coinText).join(', ') || '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          )}
        </Outcome>
        <Pager pages={pages} name="claims" />
        <RawAnswer asked={pages} />
      </section>
      <CollectionCards />
    </div>
  );
}
