import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { hrefOf } from '../../shell/route.js';
import { useQuery, useRoute } from '../../shell/use-route.js';

/** View options; undefined and empty ones are left out. */
export type Look = Readonly<Record<string, string | undefined>>;

/** The address of a view of the chain. */
export function chainHref(parts: readonly string[], look: Look = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(look)) if (value !== undefined && value !== '') query.set(name, value);
  const href = hrefOf('chain', ...parts);
  return query.size === 0 ? href : `${href}?${query}`;
}

/** The selected block for all queries; undefined for the latest one. */
export function useAsOf(): string | undefined {
  const at = useQuery().get('at');
  return at !== null && /^\d{1,15}$/.test(at) ? at : undefined;
}

/** Addresses of views at the selected block. */
export function useChainHref(): (parts: readonly string[], look?: Look) => string {
  const at = useAsOf();
  return (parts, look) => chainHref(parts, { ...look, at });
}

/** Selects the block height of all views; part of the address. */
export function AsOfSwitch() {
  const at = useAsOf();
  const [, ...parts] = useRoute();
  const look = Object.fromEntries(useQuery());
  const [height, setHeight] = useState(at ?? '');
  const id = useId();
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    window.location.hash = chainHref(parts, { ...look, page: undefined, at: height.replaceAll(/\D/g, '') });
  }
  return (
    <form className="as-of field" onSubmit={onSubmit}>
      <label htmlFor={id}>As of block</label>
      <div className="joined">
        <input
          id={id}
          inputMode="numeric"
          value={height}
          placeholder="latest"
          autoComplete="off"
          onChange={({ target }) => setHeight(target.value)}
        />
        <button type="submit">Go</button>
      </div>
      {at === undefined ? null : (
        <a className="small" href={chainHref(parts, { ...look, at: undefined })} onClick={() => setHeight('')}>
          Back to the latest block
        </a>
      )}
    </form>
  );
}

interface ChainLinkProps {
  /** The view and the id of its object. */
  readonly to: readonly string[];
  readonly look?: Look;
  readonly className?: string;
  readonly title?: string | undefined;
  readonly isHere?: boolean;
  readonly children: ReactNode;
}

/** A link to another view, at the same block. */
export function ChainLink({ to, look, className, title, isHere = false, children }: ChainLinkProps) {
  const href = useChainHref();
  return (
    <a href={href(to, look)} className={className} title={title} aria-current={isHere ? 'page' : undefined}>
      {children}
    </a>
  );
}
