import { readFileSync } from 'node:fs';
import {
  createFileRegistry,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  fromBinary,
  getOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { descriptorBytes, readDescriptors } from './reflection/descriptors.js';

const registry = readDescriptors();
const facts = readFileSync(new URL('../test/wire-facts.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(' | '));
const rpcs = facts.flatMap(([head = '', request = '', reply = '']) =>
  head.startsWith('rpc ') ? [{ path: head.split(' ')[1] ?? '', http: head.split(' ')[2] ?? '', request, reply }] : [],
);
const named = (word: string) =>
  facts.flatMap(([head = '', fields = '']) =>
    head.startsWith(`${word} `) ? [{ name: head.split(' ')[1] ?? '', fields }] : [],
  );

describe('the definitions agree with the wire', () => {
  it.each(rpcs)('$path has its HTTP path, request and reply', ({ path, http, request, reply }) => {
    const method = methodOf(path);
    expect(httpPathOf(method)).toBe(http);
    expect(fieldsOf(method.input)).toBe(shortened(request));
    expect(fieldsOf(method.output)).toBe(shortened(reply));
    expect(method.methodKind).toBe('unary');
  });

  it.each(named('message'))('message $name', ({ name, fields }) => {
    expect(fieldsOf(messageOf(name))).toBe(shortened(fields));
  });

  it.each(named('enum'))('enum $name', ({ name, fields }) => {
    const found = registry.getEnum(name) as DescEnum;
    expect(found.values.map((value) => `${value.name}=${value.number}`).join(', ')).toBe(fields);
  });

  it('has no further rpc, message or enum of these modules', () => {
    const known = new Set([...named('message'), ...named('enum')].map((fact) => fact.name));
    for (const { path } of rpcs) {
      known.add(methodOf(path).input.typeName).add(methodOf(path).output.typeName);
      known.add(methodOf(path).parent.typeName);
    }
    const declared = [...registry].map((type) => type.typeName).filter((name) => /^ixo\./.test(name));
    expect(declared.filter((name) => !known.has(name))).toEqual([]);
    const services = new Set(rpcs.map(({ path }) => methodOf(path).parent));
    expect(services.size).toBe(10);
    expect([...services].flatMap((service) => service.methods)).toHaveLength(rpcs.length);
  });
});

it('exactly the fixed-point fields are marked as such', () => {
  const scalar = extension('cosmos_proto.scalar');
  const customtype = extension('gogoproto.customtype');
  const marked = [...registry]
    .filter((type) => type.kind === 'message')
    .flatMap((message) => message.fields)
    .filter((field) => getOption(field, scalar) === 'cosmos.Dec');
  const own = marked.filter((field) => /^(?:ixo|cosmos\.base)\./.test(field.parent.typeName));
  expect(own.map((field) => `${field.parent.typeName}.${field.name}`).sort()).toEqual(
    named('decimal').map(({ name }) => name),
  );
  expect(marked.length).toBeGreaterThan(own.length);
  for (const field of marked) expect(getOption(field, customtype)).toBe('cosmossdk.io/math.LegacyDec');
  expect([scalar.number, customtype.number, extension('google.api.http').number]).toEqual([93002, 65003, 72295728]);
});

it('descriptors sent by reflection form a complete set without comments', () => {
  const protos = [...registry.files].map((file) => fromBinary(FileDescriptorProtoSchema, descriptorBytes(file)));
  expect(protos.every((proto) => proto.sourceCodeInfo === undefined)).toBe(true);
  const again = createFileRegistry({ $typeName: FileDescriptorSetSchema.typeName, file: protos });
  expect([...again].length).toBe([...registry].length);
});

function methodOf(path: string): DescMethod {
  const [, service = '', name = ''] = path.split('/');
  const method = registry.getService(service)?.methods.find((each) => each.name === name);
  if (!method) throw new Error(`no rpc ${path}`);
  return method;
}

function messageOf(name: string): DescMessage {
  const message = registry.getMessage(name);
  if (!message) throw new Error(`no message ${name}`);
  return message;
}

function extension(name: string) {
  const found = registry.getExtension(name);
  if (!found) throw new Error(`no extension ${name}`);
  return found;
}

function httpPathOf(method: DescMethod): unknown {
  const rule = getOption(method, extension('google.api.http')) as { pattern?: { case?: string; value?: unknown } };
  expect(rule.pattern?.case).toBe('get');
  return rule.pattern?.value;
}

/** Fields in the notation of the facts, types by their last name. */
function fieldsOf(message: DescMessage): string {
  return message.fields.map((field) => `${field.number} ${field.name} ${typeOf(field)}${oneofOf(field)}`).join(', ');
}

function oneofOf(field: DescField): string {
  return field.oneof ? ` (oneof ${field.oneof.name})` : '';
}

function typeOf(field: DescField): string {
  const type = field.message?.name ?? field.enum?.name ?? ScalarType[field.scalar ?? 0]?.toLowerCase() ?? '';
  return field.fieldKind === 'list' ? `repeated ${type}` : type;
}

function shortened(fields: string): string {
  return fields.replace(/\benum /g, '').replace(/\b[\w.]+\.(\w+)/g, '$1');
}
