import { useQuery } from '../../shell/use-route.js';
import { type Asked, useAnswer } from '../asking/use-answer.js';
import { pagePath } from '../here/page-path.js';

export interface Pages<Body> extends Asked {
  readonly body: Body | undefined;
  /** Counted from 1. */
  readonly page: number;
  readonly hasNext: boolean;
}

/** A list of the chain, a page at a time; which one stands in the address. */
export function usePages<Body>(path: string | undefined, size: number): Pages<Body> {
  const page = Math.min(Math.max(1, Math.trunc(Number(useQuery().get('page'))) || 1), 1_000_000);
  const asked = useAnswer(path === undefined ? undefined : pagePath(path, page, size));
  const body = asked.answer?.ok === true ? (asked.answer.body as Body) : undefined;
  const { pagination } = (body ?? {}) as { pagination?: { readonly next_key?: string | null } | null };
  return { ...asked, body, page, hasNext: Boolean(pagination?.next_key) };
}
