import { create, type DescField } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { RequestDraft, Violation } from './request-draft.js';

/** Bounds on list queries. Limits count items of a page. */
export interface PageRules {
  /** What a request without a limit asks for: a limit of 0 makes a node count its whole store. */
  readonly defaultLimit: bigint;
  readonly maxLimit: bigint;
}

const PAGE_REQUEST = 'cosmos.base.query.v1beta1.PageRequest';

/**
 * Gives every page request of a message an explicit limit within bounds.
 * `key` together with `offset` is a violation: nodes answer it with an internal error.
 */
export function applyPageRules(draft: RequestDraft, rules: PageRules): Violation[] {
  const violations: Violation[] = [];
  for (const field of draft.desc.fields) {
    if (field.fieldKind !== 'message' || field.message.typeName !== PAGE_REQUEST) continue;
    const page = draft.message.isSet(field) ? draft.message.get(field) : reflect(field.message, create(field.message));
    if (holdsMoreThanZero(page, 'key') && holdsMoreThanZero(page, 'offset')) {
      violations.push({
        field: `${field.name}.offset`,
        description: `cannot be given together with ${field.name}.key`,
      });
    }
    boundLimit(page, rules);
    draft.message.set(field, page);
  }
  return violations;
}

function boundLimit(page: ReflectMessage, rules: PageRules): void {
  const limit = findScalar(page, 'limit');
  if (limit === undefined) return;
  const asked = BigInt(String(page.get(limit)));
  if (asked === 0n) page.set(limit, rules.defaultLimit < rules.maxLimit ? rules.defaultLimit : rules.maxLimit);
  else if (asked > rules.maxLimit) page.set(limit, rules.maxLimit);
}

function holdsMoreThanZero(page: ReflectMessage, name: string): boolean {
  const field = findScalar(page, name);
  return field !== undefined && page.isSet(field);
}

function findScalar(page: ReflectMessage, name: string): (DescField & { fieldKind: 'scalar' }) | undefined {
  const field = page.fields.find((candidate) => candidate.name === name);
  return field?.fieldKind === 'scalar' ? field : undefined;
}
