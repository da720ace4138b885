import type { CreditAccount } from './credit-account.js';

/** What is used and not paid. It is what a refused message names. */
export function OpenClaims({ account: { claims, owed } }: { readonly account: CreditAccount }) {
  return (
    <section className="stack" aria-labelledby="claims-heading">
      <h2 id="claims-heading">To be settled</h2>
      {claims.length === 0 ? (
        <p className="empty">Nothing to settle</p>
      ) : (
        <>
          <p>
            {claims.length} {claims.length === 1 ? 'claim' : 'claims'}
            {owed === 0 ? '' : ` over ${owed.toLocaleString('en')} credits`}. A claim is what one answer took, or what a
            first payment is asked for with. They are settled from the balance, the oldest first.
          </p>
          <details>
            <summary>Their ids</summary>
            <ul className="claims">
              {claims.map((claim) => (
                <li key={claim}>
                  <code className="break">{claim}</code>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
      <p className="quiet small">
        A message that cannot be paid for is refused (402) before any of it is kept, and names these claims. Once there
        is a balance, press Retry.
      </p>
    </section>
  );
}
