import { useEffect } from 'react';
import { messageOf } from '../asking/ask-chain.js';
import { useChainHref } from '../here/chain-href.js';
import { ChainLink } from '../here/chain-link.js';
import { NothingFound } from './nothing-found.js';
import { type Finding, useFindings } from './use-findings.js';

/** What a text names on the chain. A single thing is shown at once. */
export function FindView({ text }: { readonly text: string }) {
  const findings = useFindings(text);
  const href = useChainHref();
  const found = findings?.filter(({ answer }) => answer.ok) ?? [];
  const views = [...new Set(found.map(({ sought }) => href(sought.to)))];
  const only = views.length === 1 ? views[0] : undefined;
  useEffect(() => {
    // In the place of the search, so that Back leads to what was before it.
    if (only !== undefined) window.location.replace(only);
  }, [only]);
  if (findings === undefined || only !== undefined) return <p className="quiet waiting">Loading…</p>;
  const troubled = findings.find(({ answer }) => isTrouble(answer.status));
  if (found.length === 0 && troubled === undefined) return <NothingFound text={text} findings={findings} />;
  return (
    <section className="stack" aria-labelledby="found-heading">
      <h2 id="found-heading" className="break">
        Results for {text}
      </h2>
      {troubled === undefined ? null : (
        <p className="notice bad" role="alert">
          {messageOf(troubled.answer)}
        </p>
      )}
      <ul className="cards">
        {found.map(({ sought }) => (
          <li key={sought.path} className="card">
            <ChainLink to={sought.to}>
              {nameOf(sought)} <span className="break">{sought.id}</span>
            </ChainLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Neither there nor not there: nobody could say. */
function isTrouble(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function nameOf({ kind }: Finding['sought']): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
