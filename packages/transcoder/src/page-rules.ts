import { create, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { isMessage, type PlainMessage } from './plain-message-fields.js';
import type { RequestDraft, Violation } from './request-draft.js';

/** Bounds on list queries. Limits count items of a page. */
export interface PageRules {
  /** What a request without a limit asks for: a limit of 0 makes a node count its whole store. */
  readonly defaultLimit: bigint;
  readonly maxLimit: bigint;
}

const PAGE_REQUEST = 'cosmos.base.query.v1beta1.PageRequest';

const pagesOf = new WeakMap<DescMessage, readonly PageField[]>();

type PageField = DescField & { fieldKind: 'message' };

/**
 * Gives every page request of a message an explicit limit within bounds.
 * `key` together with `offset` is a violation: nodes answer it with an internal error.
 */
export function applyPageRules(draft: RequestDraft, rules: PageRules): Violation[] {
  const violations: Violation[] = [];
  for (const field of findPages(draft.desc)) {
    const known = draft.plain[field.localName];
    const page: PlainMessage = isMessage(known) ? known : create(field.message);
    if (isGiven(page['key']) && isGiven(page['offset'])) {
      violations.push({
        field: `${field.name}.offset`,
        description: `cannot be given together with ${field.name}.key`,
      });
    }
    boundLimit(page, rules);
    draft.plain[field.localName] = page;
  }
  return violations;
}

/** Whether a message asks for pages. */
export function hasPages(desc: DescMessage): boolean {
  return findPages(desc).length > 0;
}

function findPages(desc: DescMessage): readonly PageField[] {
  let pages = pagesOf.get(desc);
  if (pages === undefined) {
    pages = desc.fields.filter((field): field is PageField => {
      return field.fieldKind === 'message' && field.oneof === undefined && field.message.typeName === PAGE_REQUEST;
    });
    pagesOf.set(desc, pages);
  }
  return pages;
}

function boundLimit(page: PlainMessage, rules: PageRules): void {
  const asked = page['limit'];
  if (typeof asked !== 'bigint') return;
  if (asked === 0n) page['limit'] = rules.defaultLimit < rules.maxLimit ? rules.defaultLimit : rules.maxLimit;
  else if (asked > rules.maxLimit) page['limit'] = rules.maxLimit;
}

/** A key of some bytes, or an offset beyond the first item. */
function isGiven(value: unknown): boolean {
  return value instanceof Uint8Array ? value.length > 0 : typeof value === 'bigint' && value !== 0n;
}
