import { segmentOf } from '../../shell/route.js';

/** The path of a query with values in their places. Empty values of the query string are left out. Pure. */
export function buildPath({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const place = path.replace(/\{([^}]+)\}/g, (_, name: string) => segmentOf(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters) {
    const value = values[name];
    if (where === 'query' && value !== undefined && value !== '') query.append(name, value);
  }
  return query.size === 0 ? place : `${place}?${query}`;
}

/** Names of missing required parameters. */
export function missingOf({ parameters }: Operation, values: Readonly<Record<string, string>>): string[] {
  return parameters.filter(({ name, required }) => required && (values[name] ?? '') === '').map(({ name }) => name);
}

/** A curl command for the same request through this page's server. */
export function curlOf(url: string, height?: string): string {
  const header = height === undefined || height === '' ? '' : `-H ${quoted(`x-cosmos-block-height: ${height}`)} `;
  return `curl -sS ${header}${quoted(url)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
/** The parts of an OpenAPI description that the explorer uses. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example: string;
  /** `boolean`, `integer`, `string`, or `choice` with its options. */
  readonly kind: 'boolean' | 'string' | 'choice';
  readonly choices: readonly string[];
}

export interface Operation {
  /** `package.Service.Method` */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
}

export interface OperationGroup {
  /** `ixo.entity.v1beta1.Query` */
  readonly tag: string;
  /** `entity` */
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

type Json = Readonly<Record<string, unknown>>;

/** The queries of a description by tag, in its order; deprecated ones are left out. Skips invalid parts. Pure. */
export function readDescription(document: unknown): OperationGroup[] {
  const groups = new Map<string, { description: string; operations: Operation[] }>();
  for (const tag of listOf(objectOf(document)['tags'])) {
    const { name, description } = objectOf(tag);
    groups.set(textOf(name), { description: textOf(description), operations: [] });
  }
  for (const [path, item] of Object.entries(objectOf(objectOf(document)['paths']))) {
    const operation = objectOf(objectOf(item)['get']);
    const tag = textOf(listOf(operation['tags'])[0]);
    if (tag === '' || operation['deprecated'] === true) continue;
    const group = groups.get(tag) ?? { description: '', operations: [] };
    groups.set(tag, group);
    group.operations.push({
      id: textOf(operation['operationId']),
      method: 'GET',
      path,
      summary: textOf(operation['summary']),
      parameters: listOf(operation['parameters']).map(parameterOf),
    });
  }
  return [...groups]
    .filter(([, { operations }]) => operations.length > 0)
    .map(([tag, group]) => ({ tag, name: nameOf(tag), ...group }));
}

function parameterOf(parameter: unknown): Parameter {
  const { name, in: place, required, description, example, schema } = objectOf(parameter);
  const { type, enum: choices } = objectOf(schema);
  const words = listOf(choices).map(textOf);
  return {
    name: textOf(name),
    in: place === 'path' || place === 'header' ? place : 'query',
    required: required === true,
    description: textOf(description),
    example: typeof example === 'string' || typeof example === 'number' ? `${example}` : '',
    kind: words.length > 0 ? 'choice' : type === 'boolean' ? 'boolean' : 'string',
    choices: words,
  };
}

/** `entity` of `ixo.entity.v1beta1.Query`: the part before the version. */
function nameOf(tag: string): string {
  const parts = tag.split('.');
  const version = parts.findIndex((part) => /^v\d/.test(part));
  return (version > 0 ? parts[version - 1] : parts.at(-1)) ?? tag;
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
