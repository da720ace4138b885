import type { DescMessage, DescMethod } from '@bufbuild/protobuf';
import { resolveFieldPath } from '../fields/field-path.js';
import { hasTextForm } from '../fields/value-text.js';
import { parseTemplate } from '../template/parse-template.js';
import type { Template } from '../template/template.js';
import type { HttpBinding } from './http-rules.js';

/** One HTTP route of an rpc. */
export interface HttpRoute {
  readonly rpc: DescMethod;
  /** An HTTP method in capitals, or `*` for any. */
  readonly method: string;
  readonly template: Template;
  /** The target of a request's body: `''` for none, `'*'` for the whole message, else the name of a field. */
  readonly body: string;
  /** The field of the reply that is written; `''` for all of it. */
  readonly responseBody: string;
}

/** A binding of an rpc as a route; or why it does not fit the rpc, for people. */
export function toRoute(rpc: DescMethod, binding: HttpBinding): HttpRoute | { readonly problem: string } {
  const parsed = parseTemplate(binding.template);
  if ('problem' in parsed) return parsed;
  const { template } = parsed;
  const { method, body, responseBody } = binding;
  const problem = findMisfit(rpc.input, rpc.output, template, binding);
  return problem === undefined ? { rpc, method, template, body, responseBody } : { problem };
}

function findMisfit(
  input: DescMessage,
  output: DescMessage,
  template: Template,
  { body, responseBody }: HttpBinding,
): string | undefined {
  for (const { fieldPath } of template.variables) {
    const resolved = resolveFieldPath(input, fieldPath);
    if (!('path' in resolved)) return `${input.typeName} has no field ${fieldPath}`;
    const [first, inner] = resolved.path.fields;
    const field = resolved.path.fields.at(-1) ?? first;
    const isInnerList = inner !== undefined && field.fieldKind === 'list';
    if (isInnerList || !hasTextForm(field)) return `${fieldPath} cannot be a path variable`;
  }
  if (body !== '' && body !== '*' && !input.fields.some((field) => field.name === body)) {
    return `${input.typeName} has no field ${body} for the body`;
  }
  if (responseBody !== '' && !output.fields.some((field) => field.name === responseBody)) {
    return `${output.typeName} has no field ${responseBody} for the reply`;
  }
  return undefined;
}
