import { create, createFileRegistry, type FileRegistry } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_duration,
} from '@bufbuild/protobuf/wkt';

/** The type of a detail's field, followed by `[]` for a list. */
type Kind = 'string' | 'duration' | 'map' | `${string}[]`;

/** A message by its fields, numbered in their order; messages within it have names in capitals. */
interface Shape {
  readonly [name: string]: Kind | Shape;
}

/** Every detail of google.rpc. Source: google/rpc/error_details.proto. */
const DETAILS: Readonly<Record<string, Shape>> = {
  ErrorInfo: { reason: 'string', domain: 'string', metadata: 'map' },
  RetryInfo: { retry_delay: 'duration' },
  DebugInfo: { stack_entries: 'string[]', detail: 'string' },
  QuotaFailure: { Violation: { subject: 'string', description: 'string' }, violations: 'Violation[]' },
  PreconditionFailure: {
    Violation: { type: 'string', subject: 'string', description: 'string' },
    violations: 'Violation[]',
  },
  BadRequest: {
    FieldViolation: { field: 'string', description: 'string' },
    field_violations: 'FieldViolation[]',
  },
  RequestInfo: { request_id: 'string', serving_data: 'string' },
  ResourceInfo: { resource_type: 'string', resource_name: 'string', owner: 'string', description: 'string' },
  Help: { Link: { description: 'string', url: 'string' }, links: 'Link[]' },
  LocalizedMessage: { locale: 'string', message: 'string' },
};

const { STRING, MESSAGE } = FieldDescriptorProto_Type;
const { OPTIONAL, REPEATED } = FieldDescriptorProto_Label;

function describe(name: string, path: string, shape: Shape): DescriptorProto {
  const members = Object.entries(shape);
  const messages = members.flatMap(([inner, kind]) =>
    typeof kind === 'string' ? [] : [describe(inner, `${path}.${inner}`, kind)],
  );
  const fields = members.flatMap(([field, kind]) => (typeof kind === 'string' ? [{ field, kind }] : []));
  return create(DescriptorProtoSchema, {
    name,
    nestedType: [...messages, ...(fields.some(({ kind }) => kind === 'map') ? [mapEntry()] : [])],
    field: fields.map(({ field, kind }, at) => describeField(field, at + 1, path, kind)),
  });
}

function describeField(name: string, number: number, path: string, kind: Kind) {
  const isList = kind.endsWith('[]') || kind === 'map';
  const label = isList ? REPEATED : OPTIONAL;
  const item = kind.replace('[]', '');
  if (item === 'string') return create(FieldDescriptorProtoSchema, { name, number, label, type: STRING });
  const inner = item === 'map' ? `${path}.MetadataEntry` : `${path}.${item}`;
  const typeName = item === 'duration' ? '.google.protobuf.Duration' : inner;
  return create(FieldDescriptorProtoSchema, { name, number, label, type: MESSAGE, typeName });
}

/** The only map type: from text to text. */
function mapEntry(): DescriptorProto {
  return create(DescriptorProtoSchema, {
    name: 'MetadataEntry',
    options: { mapEntry: true },
    field: ['key', 'value'].map((name, at) => describeField(name, at + 1, '', 'string')),
  });
}

/** The types that details of a failed call have, whether the descriptors of an API hold them or not. */
export const errorDetails: FileRegistry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      file_google_protobuf_duration.proto,
      create(FileDescriptorProtoSchema, {
        name: 'google/rpc/error_details.proto',
        package: 'google.rpc',
        syntax: 'proto3',
        dependency: [file_google_protobuf_duration.proto.name],
        messageType: Object.entries(DETAILS).map(([name, shape]) => describe(name, `.google.rpc.${name}`, shape)),
      }),
    ],
  }),
);
