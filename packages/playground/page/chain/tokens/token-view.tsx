import { hrefOf } from '../../shell/use-route.js';
import { useAnswer } from '../asking/use-answer.js';
import { useQueryPath } from '../description/description-context.js';
import { Facts } from '../parts/facts.js';
import { Outcome } from '../parts/outcome.js';
import { RawAnswer } from '../parts/raw-answer.js';

interface TokenMetadata {
  readonly name: string;
  readonly description: string;
  readonly index: string;
  readonly decimals: string;
  readonly properties: { readonly class: string; readonly collection: string; readonly cap: string } | null;
}

export function TokenView({ id }: { readonly id: string }) {
  const asked = useAnswer(useQueryPath('ixo.token.v1beta1.Query.TokenMetadata', { id }));
  return (
    <section className="stack" aria-label={`Token ${id}`} aria-busy={asked.isLoading}>
      <p>
        <a href={hrefOf('chain', 'tokens')}>← All tokens</a>
      </p>
      <Outcome asked={asked}>{(body) => <TokenCard id={id} token={body as TokenMetadata} />}</Outcome>
      <RawAnswer asked={asked} />
    </section>
  );
}

function TokenCard({ id, token }: { readonly id: string; readonly token: TokenMetadata }) {
  const { properties } = token;
  return (
    <article className="card stack">
      <h2>
        {token.name} #{token.index}
      </h2>
      <p>{token.description}</p>
      <Facts
        facts={[
          [
            'Id',
            <span key="id" className="mono">
              {id}
            </span>,
          ],
          ['Decimals', token.decimals],
          [
            'Class',
            properties === null ? (
              ''
            ) : (
              <a key="class" href={hrefOf('chain', 'entities', properties.class)}>
                {properties.class}
              </a>
            ),
          ],
          [
            'Collection',
            properties === null ? (
              ''
            ) : (
              <a key="collection" href={hrefOf('chain', 'entities', properties.collection)}>
                {properties.collection}
              </a>
            ),
          ],
        ]}
      />
    </article>
  );
}
