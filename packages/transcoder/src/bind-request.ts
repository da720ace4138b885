import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { bindBody } from './bind-body.js';
import { bindQuery, type QueryPair, type UnknownQuery } from './bind-query.js';
import { encodePlainJson } from './contract-values.js';
import { resolveFieldPath } from './field-path.js';
import { applyPageRules, type PageRules } from './page-rules.js';
import { RequestDraft, type Violation } from './request-draft.js';
import type { Template } from './template.js';

/** What a rule binds: the request message of its method, and where the body of the request goes. */
export interface Binding {
  readonly input: DescMessage;
  /** `''` for no body, `'*'` for the whole message, else the name of a field. */
  readonly body: string;
}

export interface RequestParts {
  readonly template: Template;
  /** Decoded values of the template's variables, in its order. */
  readonly values: readonly string[];
  readonly query: readonly QueryPair[];
  readonly body: Uint8Array;
}

/** Of one variable of the path. A query to a contract stands in one, so it is more than any id needs. */
const variableChars = 8_192;

export interface BindOptions {
  readonly registry: Registry;
  readonly unknownQuery: UnknownQuery;
  readonly pages: PageRules;
}

export type BoundRequest =
  | { readonly bytes: Uint8Array; readonly ignored: readonly string[] }
  | { readonly violations: readonly Violation[] };

/**
 * Makes the request message of a call from the path, the query and the body, and encodes it.
 * The path has the last word over the body, and the query never changes what either of them set.
 */
export function bindRequest(binding: Binding, parts: RequestParts, options: BindOptions): BoundRequest {
  const draft = new RequestDraft(binding.input);
  const violations: Violation[] = [];
  violations.push(...bindBody(draft, binding.body, parts.body, options));
  if (violations.length === 0) violations.push(...bindVariables(draft, parts, options.registry));
  const query = binding.body === '*' ? noQuery(parts.query) : bindQuery(draft, parts.query, options.unknownQuery);
  violations.push(...query.violations);
  if (violations.length === 0) violations.push(...applyPageRules(draft, options.pages));
  return violations.length > 0 ? { violations } : { bytes: draft.toBytes(), ignored: query.ignored };
}

function bindVariables(draft: RequestDraft, parts: RequestParts, registry: Registry): Violation[] {
  const violations: Violation[] = [];
  for (const [at, variable] of parts.template.variables.entries()) {
    const resolved = resolveFieldPath(draft.desc, variable.fieldPath);
    if (!('path' in resolved)) {
      violations.push({ field: variable.fieldPath, description: 'is not a field of the request' });
      continue;
    }
    const given = parts.values[at] ?? '';
    if (given.length > variableChars) {
      violations.push({ field: variable.fieldPath, description: `must be at most ${variableChars} characters` });
      continue;
    }
    const [first] = resolved.path.fields;
    const value = encodePlainJson(first, given, registry);
    if (typeof value !== 'string') {
      violations.push({ field: variable.fieldPath, ...value });
      continue;
    }
    clearOtherMembers(draft, first);
    // A list in a path has commas between its items, as in grpc-gateway, and none of the body's.
    const isList = first.fieldKind === 'list';
    if (isList) draft.message.clear(first);
    for (const text of isList ? value.split(',') : [value]) {
      const description = draft.set(resolved.path, text);
      if (description !== undefined) violations.push({ field: variable.fieldPath, description });
    }
    draft.claim(resolved.path.canonical);
  }
  return violations;
}

/** A path variable wins over a body that chose another member of the same oneof. */
function clearOtherMembers(draft: RequestDraft, field: DescField): void {
  if (field.oneof === undefined) return;
  const chosen = draft.message.oneofCase(field.oneof);
  if (chosen !== undefined && chosen !== field) draft.message.clear(chosen);
}

/** With the whole message in the body there is nothing left for a query. */
function noQuery(query: readonly QueryPair[]): { violations: Violation[]; ignored: string[] } {
  return { violations: [], ignored: [...new Set(query.map(([name]) => name))] };
}
