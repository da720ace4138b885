import type { ReactNode } from 'react';
import { type Look, useChainHref } from './chain-href.js';

interface ChainLinkProps {
  /** The view, and the id of what it shows. */
  readonly to: readonly string[];
  readonly look?: Look;
  readonly className?: string;
  readonly title?: string | undefined;
  readonly isHere?: boolean;
  readonly children: ReactNode;
}

/** A link to another view, as of the same block. */
export function ChainLink({ to, look, className, title, isHere = false, children }: ChainLinkProps) {
  const href = useChainHref();
  return (
    <a href={href(to, look)} className={className} title={title} aria-current={isHere ? 'page' : undefined}>
      {children}
    </a>
  );
}
