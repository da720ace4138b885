import { hrefOf } from '../../shell/route.js';

/** Parameters of tokens, with a way to the explorer. Shown by `render_component` as `token_parameters_card`. */
export function TokenParametersCard({ contractCode }: { readonly contractCode?: unknown }) {
  if (typeof contractCode !== 'string') return null;
  return (
    <span className="tool-card token-parameters-card">
      <strong>Contracts of tokens have code {contractCode}</strong>
      <a href={hrefOf('chain', 'tokens')}>Open tokens in the explorer</a>
    </span>
  );
}
