import { Card } from '@mlango/oracle-client/ui';
import { hrefOf } from '../../shell/route.js';

/** Parameters of tokens, with a way to the explorer. Shown by `render_component` as `token_parameters_card`. */
export function TokenParametersCard({ contractCode }: { readonly contractCode?: unknown }) {
  if (typeof contractCode !== 'string') return null;
  return (
    <Card
      className="tool-card token-parameters-card"
      title={`Contracts of tokens have code ${contractCode}`}
      actions={<a href={hrefOf('chain', 'tokens')}>Open tokens in the explorer</a>}
    />
  );
}
