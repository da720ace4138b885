import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import type { FormatOf } from '../fields/field-format.js';
import { resolveFieldPath } from '../fields/field-path.js';
import type { Template } from '../template/template.js';
import { bindBody } from './body.js';
import { encodeLoneText } from './lone-text.js';
import { fillPatchMask } from './patch-mask.js';
import { bindQuery, type QueryPair, type UnknownQuery } from './query.js';
import { RequestDraft } from './request-draft.js';
import type { RequestRule } from './request-rule.js';
import type { Violation } from './violation.js';

/** The request message of a method and its body field. */
export interface Binding {
  readonly input: DescMessage;
  /** `''` for no body, `'*'` for the whole message, else the name of a field. */
  readonly body: string;
  /** The method of HTTP. */
  readonly method?: string;
}

export interface RequestParts {
  readonly template: Template;
  /** Decoded values of the template's variables, in its order. */
  readonly values: readonly string[];
  readonly query: readonly QueryPair[];
  readonly body: Uint8Array;
  /** The content type of the body. */
  readonly contentType?: string | undefined;
}

/** Maximum size of a path variable. A contract query is one, so this exceeds any id. */
const variableChars = 8_192;

export interface BindOptions {
  readonly registry: Registry;
  readonly unknownQuery: UnknownQuery;
  readonly formatOf: FormatOf;
  readonly rules: readonly RequestRule[];
}

export type BoundRequest =
  | { readonly bytes: Uint8Array; readonly ignored: readonly string[] }
  | { readonly violations: readonly Violation[] };

/**
 * Builds the request message of a call from the path, the query and the body, and encodes it. The path overrides the body, and
 * the query never changes a field set by either of them.
 */
export function bindRequest(binding: Binding, parts: RequestParts, options: BindOptions): BoundRequest {
  const plain = bindPlainly(binding, parts, options);
  if (plain !== undefined) return plain;
  const draft = new RequestDraft(binding.input, options.formatOf);
  const violations: Violation[] = [];
  violations.push(...bindBody(draft, binding.body, parts.body, { ...options, contentType: parts.contentType }));
  if (violations.length === 0) violations.push(...bindVariables(draft, parts));
  const query = binding.body === '*' ? noQuery(parts.query) : bindQuery(draft, parts.query, options.unknownQuery);
  violations.push(...query.violations);
  if (binding.method === 'PATCH' && violations.length === 0) fillPatchMask(draft, binding.body, parts.body);
  return finish(draft, violations, query.ignored, options.rules);
}

const NOTHING: readonly string[] = [];
const EMPTY: BoundRequest = { bytes: new Uint8Array(), ignored: NOTHING };

/** The fast case: at most one text in the path, without further values or rules. */
function bindPlainly(
  { input, body }: Binding,
  { query, template, values }: RequestParts,
  { rules, formatOf }: BindOptions,
): BoundRequest | undefined {
  const { variables } = template;
  if (body !== '' || query.length > 0 || variables.length > 1) return undefined;
  for (const rule of rules) if (rule.concerns(input)) return undefined;
  const [variable] = variables;
  if (variable === undefined) return EMPTY;
  const text = values[0] ?? '';
  const bytes = text.length > variableChars ? undefined : encodeLoneText(input, variable.fieldPath, text, formatOf);
  return bytes === undefined ? undefined : { bytes, ignored: NOTHING };
}

/** The bytes of a valid draft, after the rules have been applied. */
export function finish(
  draft: RequestDraft,
  violations: Violation[],
  ignored: readonly string[],
  rules: readonly RequestRule[],
): BoundRequest {
  for (const rule of violations.length === 0 ? rules : []) {
    if (rule.concerns(draft.desc)) violations.push(...rule.apply(draft.plain, draft.desc));
  }
  return violations.length > 0 ? { violations } : { bytes: draft.toBytes(), ignored };
}

function bindVariables(draft: RequestDraft, parts: RequestParts): Violation[] {
  const violations: Violation[] = [];
  for (const [at, variable] of parts.template.variables.entries()) {
    const resolved = resolveFieldPath(draft.desc, variable.fieldPath);
    if (!('path' in resolved)) {
      violations.push({ field: variable.fieldPath, description: 'is not a field of the request' });
      continue;
    }
    const value = parts.values[at] ?? '';
    if (value.length > variableChars) {
      violations.push({ field: variable.fieldPath, description: `must be at most ${variableChars} characters` });
      continue;
    }
    const [first] = resolved.path.fields;
    clearOtherMembers(draft, first);
    // A list in a path has commas between its items, as in grpc-gateway, and gets none of the body's.
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

/** With the whole message in the body a query can set nothing. */
function noQuery(query: readonly QueryPair[]): { violations: Violation[]; ignored: string[] } {
  return { violations: [], ignored: [...new Set(query.map(([name]) => name))] };
}
