import type { DescMessage } from '@bufbuild/protobuf';
import { resolveFieldPath } from '../transcoding/field-path.js';
import { printTemplate, type Template, type Variable } from '../transcoding/template.js';
import { hasTextForm } from '../transcoding/value-text.js';
import { describeField } from './openapi-field.js';
import type { SchemaCollector } from './openapi-schemas.js';
import type { Route } from './route-table.js';

/** How deep nested messages are spelled out as query parameters. */
const MAX_QUERY_DEPTH = 2;

/** One operation of the document. `spelling` counts the ways into the same rpc, to keep operation ids apart. */
export function describeOperation(route: Route, schemas: SchemaCollector, spelling: number): Record<string, unknown> {
  const { rpc } = route;
  const operationId = `${rpc.parent.typeName}.${rpc.name}${spelling === 0 ? '' : `_${spelling + 1}`}`;
  const bound = new Set(route.template.variables.map((variable) => variable.fieldPath));
  return {
    operationId,
    tags: [rpc.parent.typeName],
    summary: rpc.name,
    ...(route.successor === undefined ? {} : { deprecated: true }),
    ...(route.isDisabled ? { description: 'Disabled on this gateway: answers 501.' } : {}),
    parameters: [
      ...route.template.variables.map((variable) => describeVariable(rpc.input, route.template, variable, schemas)),
      ...(route.body === '*' ? [] : describeQuery(rpc.input, bound, route.body, schemas)),
      HEIGHT_PARAMETER,
    ],
    ...(route.body === '' ? {} : { requestBody: describeBody(route, schemas) }),
    responses: {
      200: {
        description: 'The reply of the node.',
        content: { 'application/json': { schema: replySchema(route, schemas) } },
      },
      default: { description: 'An error.', content: { 'application/json': { schema: schemas.error() } } },
    },
  };
}

const HEIGHT_PARAMETER = {
  name: 'x-cosmos-block-height',
  in: 'header',
  description: 'The block height to answer at; the latest one unless given.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
};

function describeVariable(input: DescMessage, template: Template, variable: Variable, schemas: SchemaCollector) {
  const resolved = resolveFieldPath(input, variable.fieldPath);
  const field = 'path' in resolved ? resolved.path.fields.at(-1) : undefined;
  const pattern = /=([^}]*)\}/.exec(printTemplate({ ...template, variables: [variable] }))?.[1];
  return {
    name: variable.fieldPath,
    in: 'path',
    required: true,
    ...(pattern === undefined ? {} : { description: `Matches ${pattern}` }),
    schema: field === undefined ? { type: 'string' } : describeField(field, schemas),
  };
}

function describeQuery(
  message: DescMessage,
  bound: ReadonlySet<string>,
  body: string,
  schemas: SchemaCollector,
  prefix = '',
): Record<string, unknown>[] {
  return message.fields.flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (bound.has(name) || name === body || field.fieldKind === 'map') return [];
    if (hasTextForm(field)) return [{ name, in: 'query', schema: describeField(field, schemas) }];
    if (field.fieldKind !== 'message' || name.split('.').length > MAX_QUERY_DEPTH) return [];
    return describeQuery(field.message, bound, body, schemas, `${name}.`);
  });
}

function describeBody(route: Route, schemas: SchemaCollector) {
  const field = route.rpc.input.fields.find((candidate) => candidate.name === route.body);
  const schema = field === undefined ? schemas.reference(route.rpc.input) : describeField(field, schemas);
  return { content: { 'application/json': { schema } } };
}

function replySchema(route: Route, schemas: SchemaCollector): Record<string, unknown> {
  const field = route.rpc.output.fields.find((candidate) => candidate.name === route.responseBody);
  return field === undefined ? schemas.reference(route.rpc.output) : describeField(field, schemas);
}
