import { useEffect, useState } from 'react';
import { useRoute } from '../../shell/use-route.js';
import { ChainLink, chainHref, useAsOf, useChainHref } from '../parts/links.js';
import { type Answer, fetchFromChain, messageOf } from '../parts/requests.js';
import { formsOf, type SearchForm } from './forms-of.js';

export interface Finding {
  readonly sought: SearchForm;
  readonly answer: Answer;
}

/** The lookups for a text; undefined while they run. */
function useFindings(text: string): readonly Finding[] | undefined {
  const at = useAsOf();
  const [found, setFound] = useState<{ readonly of: string; readonly findings: readonly Finding[] }>();
  const of = `${text} ${at ?? ''}`;
  useEffect(() => {
    const controller = new AbortController();
    Promise.all(
      formsOf(text).map(async (sought) => ({
        sought,
        answer: await fetchFromChain(sought.path, controller.signal, at),
      })),
    ).then(
      (findings) => setFound({ of, findings }),
      // Only an abort rejects: another search has started.
      () => undefined,
    );
    return () => controller.abort();
  }, [text, at, of]);
  return found?.of === of ? found.findings : undefined;
}

/** The searchable kinds, each with its form. */
const known = [
  ['an entity or a person', 'did:ixo:entity:… or did:x:…', 'entities'],
  ['a claim, by its content id', 'bafkrei…', 'claims'],
  ['a collection, by its number', '1', 'collections'],
  ['a token, by 32 digits of a hash', 'f36afe45…', 'tokens'],
  ['an account or a contract', 'ixo1…', undefined],
  ['a validator', 'ixovaloper1…', 'validators'],
  ['a transaction, by 64 digits of its hash', '40B3F6F4…', undefined],
  ['a block, by its height', '15226800', 'blocks'],
] as const;

interface NothingFoundProps {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** No results: the kinds that were tried, and examples. */
function NothingFound({ text, findings }: NothingFoundProps) {
  const at = useAsOf();
  const [, ...parts] = useRoute();
  return (
    <section className="stack" aria-labelledby="nothing-heading">
      <h2 id="nothing-heading" className="break">
        Nothing found for {text}
      </h2>
      {findings.length === 0 ? (
        <p>This is not an id of a known form. Check it against the list below.</p>
      ) : (
        <div className="notice" role="alert">
          <ul className="stack tight-stack">
            {findings.map(({ sought, answer }) => (
              <li key={sought.path}>
                As {article(sought.kind)}: {messageOf(answer)} ({answer.status})
              </li>
            ))}
          </ul>
        </div>
      )}
      {at === undefined ? null : (
        <p>
          This is the chain as of block {Number(at).toLocaleString('en')}.{' '}
          <a href={chainHref(parts)}>Go to the latest block</a>
        </p>
      )}
      <p>What can be found:</p>
      <ul className="linked">
        {known.map(([what, form, view]) => (
          <li key={what}>
            <span>
              {view === undefined ? what : <ChainLink to={[view]}>{what}</ChainLink>}: <code>{form}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function article(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** The search results for a text. A single result is shown at once. */
export function FindView({ text }: { readonly text: string }) {
  const findings = useFindings(text);
  const href = useChainHref();
  const found = findings?.filter(({ answer }) => answer.ok) ?? [];
  const views = [...new Set(found.map(({ sought }) => href(sought.to)))];
  const only = views.length === 1 ? views[0] : undefined;
  useEffect(() => {
    // Replaces the search, so that Back returns to the page before it.
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

/** The lookup failed: existence is unknown. */
function isTrouble(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function nameOf({ kind }: Finding['sought']): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
