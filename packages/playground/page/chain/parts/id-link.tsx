import { viewOfId } from '../find/forms-of.js';
import { ChainLink } from '../here/chain-link.js';
import { shortId } from './words.js';

/** An id that leads to what it names, where its form tells what that is. */
export function IdLink({ id, isShort = false }: { readonly id: string; readonly isShort?: boolean }) {
  const view = viewOfId(id);
  const text = isShort ? shortId(id) : id;
  if (view === undefined) return <span className="mono break">{text}</span>;
  return (
    <ChainLink to={view} className="mono break" title={isShort ? id : undefined}>
      {text}
    </ChainLink>
  );
}
