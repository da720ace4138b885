import type { DescMessage } from '@bufbuild/protobuf';
import { MINIMUM_HEADER } from '@mlango/cosmos-rest/heights';
import { resolveFieldPath } from '@mlango/transcoder/field-path';
import { isHttpBody } from '@mlango/transcoder/http-body';
import { printTemplate, type Template, type Variable } from '@mlango/transcoder/template';
import { hasTextForm } from '@mlango/transcoder/value-text';
import { isQuery, type Route } from '../routes.js';
import { bodyOf, valueAt } from './examples.js';
import { WATCH_PARAMETERS } from './own-routes.js';
import { commentOf, examplesIn } from './proto-comments.js';
import { describeField, type Schema, type SchemaCollector } from './schemas.js';

/** How deep nested messages are spelled out as query parameters. */
const MAX_QUERY_DEPTH = 2;

/** The group of legacy spellings: at the end, folded. */
export const LEGACY = {
  name: 'Legacy paths',
  description: 'Earlier spellings of queries above. Each reply names its successor.',
};

/**
 * One operation of the document. `spelling` counts the ways into the same rpc, to keep operation ids apart. `request` is one with an
 * answer: it is the example then, and no other values are filled in.
 */
export function describeOperation(
  route: Route,
  schemas: SchemaCollector,
  spelling: number,
  request?: object,
): Record<string, unknown> {
  const { rpc } = route;
  const operationId = `${rpc.parent.typeName}.${rpc.name}${spelling === 0 ? '' : `_${spelling + 1}`}`;
  const bound = new Set(route.template.variables.map((variable) => variable.fieldPath));
  return {
    operationId,
    ...describeRpc(route),
    ...(route.successor === undefined ? { tags: [rpc.parent.typeName] } : { tags: [LEGACY.name], deprecated: true }),
    parameters: [
      ...route.template.variables.map((variable) =>
        describeVariable(rpc.input, route.template, variable, schemas, request),
      ),
      ...(route.body === '*' ? [] : describeQuery(rpc.input, { bound, body: route.body, schemas, request })),
      HEIGHT_PARAMETER,
      MINIMUM_PARAMETER,
      ...(route.body === '' ? [] : [ENCODING_PARAMETER]),
      ...(isQuery(route) && rpc.methodKind === 'unary' ? WATCH_PARAMETERS : []),
    ],
    ...(route.body === '' ? {} : { requestBody: { content: describeBody(route, bound, schemas, request) } }),
    responses: {
      200: {
        description: 'The reply of the node.',
        content: describeContent(rpc.output, route.responseBody, schemas),
      },
      default: { description: 'An error.', content: { 'application/json': { schema: schemas.error() } } },
    },
  };
}

/** The first sentence of the comment is the summary that lists show; the name of the rpc is the default. */
function describeRpc({ rpc, isDisabled, isMissing }: Route): { summary: string; description?: string } {
  const comment = commentOf(rpc);
  const description = [
    ...(isDisabled ? ['Disabled on this gateway: answers 501.'] : []),
    ...(isMissing ? ['Not available on this chain node: answers 501.'] : []),
    ...(comment === undefined ? [] : [comment]),
  ].join(' ');
  return {
    summary: comment?.split(/(?<=\.) /)[0] ?? rpc.name,
    ...(description === '' ? {} : { description }),
  };
}

const HEIGHT_PARAMETER = {
  name: 'x-cosmos-block-height',
  in: 'header',
  description: 'The block height to answer at; the latest one unless given.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
};

const ENCODING_PARAMETER = {
  name: 'content-encoding',
  in: 'header',
  description: 'Of a compressed body, which has at most 1 MiB once unpacked.',
  schema: { type: 'string', enum: ['gzip', 'br'] },
};

/** A form gives query parameters, so it suits a rule that leaves some fields to the query. */
const FORM_CONTENT = {
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      description: 'Values of query parameters. The form has at most 64 KiB.',
      additionalProperties: { type: 'string' },
    },
  },
};

const MINIMUM_PARAMETER = {
  name: MINIMUM_HEADER,
  in: 'header',
  description: 'Minimum block height of the reply, from an earlier reply. Ignored with a block height.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
};

function describeVariable(
  input: DescMessage,
  template: Template,
  variable: Variable,
  schemas: SchemaCollector,
  request: object | undefined,
) {
  const resolved = resolveFieldPath(input, variable.fieldPath);
  const field = 'path' in resolved ? resolved.path.fields.at(-1) : undefined;
  const pattern = /=([^}]*)\}/.exec(printTemplate({ ...template, variables: [variable] }))?.[1];
  return {
    name: variable.fieldPath,
    in: 'path',
    required: true,
    ...describeParameter(field === undefined ? { type: 'string' } : describeField(field, schemas), pattern),
    ...exampleAt(request, variable.fieldPath),
  };
}

/** Tools look for description and example at the parameter, not in its schema. */
function describeParameter({ description, examples, ...schema }: Schema, pattern?: string): Record<string, unknown> {
  const words = [description, pattern === undefined ? undefined : `Matches ${pattern}`].filter(Boolean).join(' ');
  const [example] = Array.isArray(examples) ? examples : [];
  return {
    ...(words === '' ? {} : { description: words }),
    ...(example === undefined ? {} : { example }),
    schema,
  };
}

interface QueryParts {
  /** The fields in the path. */
  readonly bound: ReadonlySet<string>;
  readonly body: string;
  readonly schemas: SchemaCollector;
  readonly request: object | undefined;
}

function describeQuery(message: DescMessage, parts: QueryParts, prefix = ''): Record<string, unknown>[] {
  const { bound, body, schemas, request } = parts;
  return message.fields.flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (bound.has(name) || name === body || field.fieldKind === 'map') return [];
    if (hasTextForm(field)) {
      const { example: ofComment, ...described } = describeParameter(describeField(field, schemas));
      // Optional fields are filled in only from an example with a known answer.
      const isNamed = request === undefined && examplesIn(commentOf(field)).length > 0;
      const example = isNamed ? { example: ofComment } : exampleAt(request, name);
      return [{ name, in: 'query', ...described, ...example }];
    }
    if (field.fieldKind !== 'message' || name.split('.').length > MAX_QUERY_DEPTH) return [];
    return describeQuery(field.message, parts, `${name}.`);
  });
}

function exampleAt(request: object | undefined, fieldPath: string): { example?: unknown } {
  const example = valueAt(request, fieldPath);
  return example === undefined ? {} : { example };
}

function describeBody(
  route: Route,
  bound: ReadonlySet<string>,
  schemas: SchemaCollector,
  request: object | undefined,
): Record<string, object> {
  const content = describeContent(route.rpc.input, route.body, schemas);
  const example = request === undefined ? undefined : bodyOf(request, route.body, bound);
  const described =
    example === undefined
      ? content
      : Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { ...schema, example }]));
  const takesForms = route.method === 'POST' && route.body !== '*' && 'application/json' in described;
  return takesForms ? { ...described, ...FORM_CONTENT } : described;
}

/** The body: a field of a message, or the whole of it. A google.api.HttpBody is bytes of any type. */
function describeContent(message: DescMessage, part: string, schemas: SchemaCollector) {
  const field = message.fields.find((candidate) => candidate.name === part);
  if (isHttpBody(field === undefined ? message : field.message)) {
    return { '*/*': { schema: { type: 'string', format: 'binary' } } };
  }
  const schema = field === undefined ? schemas.reference(message) : describeField(field, schemas);
  return { 'application/json': { schema } };
}
