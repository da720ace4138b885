import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { rpcError } from '@mlango/schemas/proto-gateway';
import { z } from 'zod';
import { commentOf, examplesIn } from './proto-comments.js';

export type Schema = Record<string, unknown>;

/** Collects the schemas of messages. */
export interface SchemaReferences {
  /** A `$ref` to the schema of a message, which is added to the document. */
  reference(message: DescMessage): Schema;
}

const SCALARS: Readonly<Partial<Record<ScalarType, Schema>>> = {
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.BYTES]: { type: ['string', 'null'], contentEncoding: 'base64' },
  [ScalarType.DOUBLE]: { type: ['number', 'string'], format: 'double' },
  [ScalarType.FLOAT]: { type: ['number', 'string'], format: 'float' },
};
const LONG = { type: 'string', format: 'int64', pattern: '^-?[0-9]+$', examples: ['1'] };
const LONG_TYPES: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

const WELL_KNOWN: Readonly<Record<string, Schema>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time', examples: ['2026-01-02T03:04:05Z'] },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?s$', examples: ['1.500s'] },
  'google.protobuf.FieldMask': { type: 'string' },
  'google.protobuf.Struct': { type: 'object', additionalProperties: true },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array' },
  'google.protobuf.Any': {
    type: 'object',
    properties: { '@type': { type: 'string' } },
    required: ['@type'],
    additionalProperties: true,
  },
};

/** The JSON schema of a field as the default profile writes it, with the comment above the field and its examples. */
export function describeField(field: DescField, schemas: SchemaReferences): Schema {
  const comment = commentOf(field);
  const shape = describeShape(field, schemas);
  const description = [comment, shape['description']].filter((text) => typeof text === 'string').join('\n\n');
  const examples =
    field.fieldKind === 'scalar' || field.fieldKind === 'enum'
      ? examplesIn(comment).map((text) => exampleOf(field, text))
      : [];
  return {
    ...shape,
    ...(description === '' ? {} : { description }),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function describeShape(field: DescField, schemas: SchemaReferences): Schema {
  if (field.fieldKind === 'list') return { type: 'array', items: describeValue(field, schemas) };
  if (field.fieldKind === 'map') return { type: 'object', additionalProperties: describeValue(field, schemas) };
  if (field.fieldKind === 'message') return { oneOf: [describeMessage(field.message, schemas), { type: 'null' }] };
  return describeValue(field, schemas);
}

function describeValue(field: DescField, schemas: SchemaReferences): Schema {
  if (field.enum !== undefined) return describeEnum(field.enum);
  if (field.message !== undefined) return describeMessage(field.message, schemas);
  return describeScalar(field.scalar ?? ScalarType.STRING);
}

function describeScalar(type: ScalarType): Schema {
  return LONG_TYPES.has(type) ? LONG : (SCALARS[type] ?? { type: 'integer' });
}

/** Comments are text; a number in them is an example number, except for types that JSON writes as text. */
function exampleOf(field: DescField, text: string): unknown {
  const scalar = field.scalar ?? ScalarType.STRING;
  const isText = scalar === ScalarType.STRING || LONG_TYPES.has(scalar);
  const number = Number(text);
  return isText || Number.isNaN(number) ? text : number;
}

/** An unknown value is written as its number. */
function describeEnum(desc: DescEnum): Schema {
  const meanings = desc.values.flatMap((value) => {
    const comment = commentOf(value);
    return comment === undefined ? [] : [`- \`${value.name}\`: ${comment}`];
  });
  return {
    anyOf: [{ type: 'string', enum: desc.values.map((value) => value.name) }, { type: 'integer' }],
    ...(meanings.length === 0 ? {} : { description: meanings.join('\n') }),
  };
}

function describeMessage(message: DescMessage, schemas: SchemaReferences): Schema {
  const known = WELL_KNOWN[message.typeName];
  if (known !== undefined) return known;
  const wrapped = /^google\.protobuf\..*Value$/.test(message.typeName) ? message.fields[0] : undefined;
  return wrapped?.fieldKind === 'scalar' ? describeScalar(wrapped.scalar) : schemas.reference(message);
}

/** The component schemas of a document: each message once. */
export class SchemaCollector implements SchemaReferences {
  readonly #schemas = new Map<string, Schema>();

  reference(message: DescMessage): Schema {
    if (!this.#schemas.has(message.typeName)) {
      const comment = commentOf(message);
      const schema: Schema = { type: 'object', ...(comment === undefined ? {} : { description: comment }) };
      // Added before its fields are described, since a message may contain itself.
      this.#schemas.set(message.typeName, schema);
      schema['properties'] = Object.fromEntries(
        message.fields.map((field) => [field.name, describeField(field, this)]),
      );
    }
    return { $ref: `#/components/schemas/${message.typeName}` };
  }

  error(): Schema {
    if (!this.#schemas.has('Error')) this.#schemas.set('Error', z.toJSONSchema(rpcError));
    return { $ref: '#/components/schemas/Error' };
  }

  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
