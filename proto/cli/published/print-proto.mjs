// Prints a file of definitions as the `.proto` it was.
import { FOREIGN } from './sources.mjs';

const SCALARS = {
  1: 'double',
  2: 'float',
  3: 'int64',
  4: 'uint64',
  5: 'int32',
  6: 'fixed64',
  7: 'fixed32',
  8: 'bool',
  9: 'string',
  12: 'bytes',
  13: 'uint32',
  15: 'sfixed32',
  16: 'sfixed64',
  17: 'sint32',
  18: 'sint64',
};

/** The options that say something about the wire or its JSON, by the file that declares them. */
const OPTIONS = {
  'cosmos_proto.scalar': 'cosmos_proto/cosmos.proto',
  'gogoproto.casttype': 'gogoproto/gogo.proto',
  'gogoproto.customtype': 'gogoproto/gogo.proto',
  'gogoproto.nullable': 'gogoproto/gogo.proto',
};

/**
 * @param {import('./read-package.mjs').SourceFile} file
 * @param {Map<unknown, import('./read-package.mjs').SourceFile>} fileOf
 * @returns {{ text: string, imports: Set<string> }} the file, and the paths of those it imports
 */
export function printProto(file, fileOf) {
  const imports = new Set();
  const enums = enumsOf(file, fileOf);
  const body = [
    ...file.services.map((service) => printService(service, file, imports, fileOf)),
    ...file.messages.filter(isTop).map(({ typeName }) => printMessage(typeName, '')),
    ...[...enums].filter(([name]) => parentOf(name) === file.package).map(([name, type]) => printEnum(name, type, '')),
  ];
  imports.delete(file.path);
  const head = [
    'syntax = "proto3";',
    `package ${file.package};`,
    [...imports]
      .sort((a, b) => (a < b ? -1 : 1))
      .map((path) => `import "${path}";`)
      .join('\n'),
  ];
  return { text: `${[...head, ...body].filter(Boolean).join('\n\n')}\n`, imports };

  function isTop({ typeName }) {
    return parentOf(typeName) === file.package && !FOREIGN.has(typeName);
  }

  function printMessage(name, indent) {
    const message = file.messages.find(({ typeName }) => typeName === name);
    const inner = `${indent}  `;
    const nested = file.messages.filter(({ typeName }) => parentOf(typeName) === name && !isEntry(typeName));
    const fields = message.fields.filter((field) => !FOREIGN.has(`${name}.${field.name}`));
    const oneofs = new Set(fields.map((field) => field.oneof).filter(Boolean));
    return block(`${indent}${comment(name, indent)}message ${lastOf(name)}`, indent, [
      ...nested.map(({ typeName }) => printMessage(typeName, inner)),
      ...[...enums].filter(([each]) => parentOf(each) === name).map(([each, type]) => printEnum(each, type, inner)),
      ...fields.filter((field) => field.oneof === undefined).map((field) => printField(field, name, inner)),
      ...[...oneofs].map((oneof) => {
        const members = fields.filter((field) => field.oneof === oneof);
        return block(
          `${inner}oneof ${snake(oneof)}`,
          inner,
          members.map((field) => printField(field, name, `${inner}  `)),
        );
      }),
    ]);
  }

  function isEntry(name) {
    return file.messages.every(({ typeName }) => typeName !== parentOf(name));
  }

  function printField(field, message, indent) {
    const label = field.repeat
      ? 'repeated '
      : field.opt && field.oneof === undefined && field.kind !== 'message'
        ? 'optional '
        : '';
    const options = Object.entries(OPTIONS).flatMap(([name, path]) => {
      const value = field.options?.[name];
      if (value === undefined || isReadAsText(name, field)) return [];
      imports.add(path);
      return [`(${name}) = ${JSON.stringify(value)}`];
    });
    const tail = options.length === 0 ? '' : ` [${options.join(', ')}]`;
    const text = comment(`${message}.${field.name}`, indent);
    return `${indent}${text}${label}${typeOf(field)} ${field.name} = ${field.no}${tail};`;
  }

  function typeOf(field) {
    if (field.kind === 'map') return `map<${SCALARS[field.K]}, ${typeOf({ ...field.V })}>`;
    if (field.kind === 'scalar') return SCALARS[field.T];
    const type = field.T();
    const [name, key] = field.kind === 'enum' ? [type[0], type[1]] : [type.typeName, type.typeName];
    imports.add(fileOf.get(key).path);
    return `.${name}`;
  }

  function printEnum(name, [, values, prefix = ''], indent) {
    const entries = Object.entries(values).filter(([, number]) => typeof number === 'number');
    return block(
      `${indent}${comment(name, indent)}enum ${lastOf(name)}`,
      indent,
      entries.map(([value, number]) => `${indent}  ${prefix}${value} = ${number};`),
    );
  }

  function comment(name, indent) {
    return commentLines(file.comments.get(name), indent);
  }
}

function printService(service, file, imports, fileOf) {
  const methods = service.methods.filter(({ name }) => !FOREIGN.has(`${service.typeName}.${name}`));
  const rpcs = methods.map(({ name, I, O, options, serverStreaming }) => {
    imports.add(fileOf.get(I.typeName).path).add(fileOf.get(O.typeName).path);
    const rule = options?.['google.api.http'];
    const text = commentLines(file.comments.get(`${service.typeName}.${name}`), '  ');
    const head = `  ${text}rpc ${name}(.${I.typeName}) returns (${serverStreaming ? 'stream ' : ''}.${O.typeName})`;
    if (rule === undefined) return `${head};`;
    imports.add('google/api/annotations.proto');
    return `${head} {\n    option (google.api.http) = ${printRule(rule)};\n  }`;
  });
  const text = commentLines(file.comments.get(service.typeName), '');
  return block(`${text}service ${lastOf(service.typeName)}`, '', rpcs);
}

/** A decimal that the chain keeps as the text it is, with its point, is no integer to be divided. */
function isReadAsText(option, field) {
  return option === 'cosmos_proto.scalar' && field.options['gogoproto.customtype'] === undefined;
}

/** A rule in the text format: its JSON, with names as they are declared. */
function printRule(value) {
  if (Array.isArray(value)) return `[${value.map(printRule).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${snake(name)}: ${printRule(inner)}`)
    .join(' ')}}`;
}

/** Enums declare nothing of themselves: fields name them. */
function enumsOf(file, fileOf) {
  const enums = new Map();
  for (const other of new Set(fileOf.values())) {
    for (const { fields } of other.messages) {
      for (const field of fields) {
        const type = (field.kind === 'enum' && field.T()) || (field.V?.kind === 'enum' && field.V.T());
        if (type && fileOf.get(type[1]) === file) enums.set(type[0], type);
      }
    }
  }
  return enums;
}

function block(head, indent, lines) {
  return lines.length === 0 ? `${head} {}` : `${head} {\n${lines.join('\n')}\n${indent}}`;
}

function commentLines(text, indent) {
  return text === undefined
    ? ''
    : `${text
        .split('\n')
        .map((line) => `// ${line}`.trimEnd())
        .join(`\n${indent}`)}\n${indent}`;
}

const parentOf = (name) => name.slice(0, name.lastIndexOf('.'));
const lastOf = (name) => name.slice(name.lastIndexOf('.') + 1);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
