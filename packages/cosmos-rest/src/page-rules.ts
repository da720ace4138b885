import { create, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { isMessage, type PlainMessage } from '@mlango/transcoder/plain-message-fields';
import type { RequestRule } from '@mlango/transcoder/request-rule';
import type { Violation } from '@mlango/transcoder/violation';

/** Bounds on list queries. Limits count items of a page. */
export interface PageLimits {
  /** The limit of a request without one: with limit 0 a node counts its whole store. */
  readonly defaultLimit: bigint;
  readonly maxLimit: bigint;
}

const PAGE_REQUEST = 'cosmos.base.query.v1beta1.PageRequest';

const pagesOf = new WeakMap<DescMessage, readonly PageField[]>();

type PageField = DescField & { fieldKind: 'message' };

/**
 * Sets an explicit limit within bounds in every page request of a message.
 * `key` together with `offset` is a violation: nodes answer it with an internal error.
 */
export function pageRule(limits: PageLimits): RequestRule {
  return {
    concerns: (desc) => findPages(desc).length > 0,
    apply(message, desc) {
      const violations: Violation[] = [];
      for (const field of findPages(desc)) {
        const known = message[field.localName];
        const page: PlainMessage = isMessage(known) ? known : create(field.message);
        if (isSet(page['key']) && isSet(page['offset'])) {
          violations.push({
            field: `${field.name}.offset`,
            description: `cannot be given together with ${field.name}.key`,
          });
        }
        boundLimit(page, limits);
        message[field.localName] = page;
      }
      return violations;
    },
  };
}

/** Caps the page size, in addition to another rule of pages. @param limit items */
export function pageCap(limit: bigint): RequestRule {
  return {
    concerns: (desc) => findPages(desc).length > 0,
    apply(message, desc) {
      for (const field of findPages(desc)) {
        const page = message[field.localName];
        if (isMessage(page)) boundLimit(page, { defaultLimit: limit, maxLimit: limit });
      }
      return [];
    },
  };
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

function boundLimit(page: PlainMessage, limits: PageLimits): void {
  const requested = page['limit'];
  if (typeof requested !== 'bigint') return;
  if (requested === 0n) page['limit'] = limits.defaultLimit < limits.maxLimit ? limits.defaultLimit : limits.maxLimit;
  else if (requested > limits.maxLimit) page['limit'] = limits.maxLimit;
}

/** A key of some bytes, or an offset beyond the first item. */
function isSet(value: unknown): boolean {
  return value instanceof Uint8Array ? value.length > 0 : typeof value === 'bigint' && value !== 0n;
}
