import { paths } from '../here/paths.js';
import { Facts } from '../parts/facts.js';
import { IdLink } from '../parts/id-link.js';
import { Single } from '../parts/single.js';

interface TokenMetadata {
  readonly name: string;
  readonly description: string;
  readonly index: string;
  readonly decimals: string;
  readonly properties: { readonly class: string; readonly collection: string; readonly cap: string } | null;
}

export function TokenView({ id }: { readonly id: string }) {
  return (
    <Single kind="Token" id={id} path={paths.token(id)} list={['tokens', 'tokens']}>
      {(token: TokenMetadata) => <TokenCard id={id} token={token} />}
    </Single>
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
          ['Id', <IdLink key="id" id={id} />],
          ['Decimals', token.decimals],
          ['Class', properties === null ? '' : <IdLink key="class" id={properties.class} />],
          ['Collection', properties === null ? '' : <IdLink key="collection" id={properties.collection} />],
        ]}
      />
    </article>
  );
}
