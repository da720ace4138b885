import { useState } from 'react';
import { type Asked, useAnswer } from '../asking/use-answer.js';

export interface Pages<Body> extends Asked {
  readonly page: Body | undefined;
  /** Counted from 1. */
  readonly count: number;
  readonly next: (() => void) | undefined;
  readonly previous: (() => void) | undefined;
}

interface Paged {
  readonly pagination?: { readonly next_key?: string | null } | null;
}

const PAGE_SIZE = 20;

/** A list of the chain, a page at a time, by the keys that the pages name. */
export function usePages<Body extends Paged>(path: string | undefined): Pages<Body> {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const key = keys.at(-1);
  const query = new URLSearchParams({ 'pagination.limit': String(PAGE_SIZE) });
  if (key !== undefined) query.set('pagination.key', key);
  const asked = useAnswer(path === undefined ? undefined : `${path}?${query}`);
  const page = asked.answer?.ok === true ? (asked.answer.body as Body) : undefined;
  const nextKey = page?.pagination?.next_key;
  return {
    ...asked,
    page,
    count: keys.length + 1,
    next: nextKey ? () => setKeys([...keys, nextKey]) : undefined,
    previous: keys.length > 0 ? () => setKeys(keys.slice(0, -1)) : undefined,
  };
}
