import { readdirSync, readFileSync } from 'node:fs';
import { type DescMessage, type FileRegistry, fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { StatusError } from '../status-error.js';
import { table } from '../table.js';
import { jsonPage } from './json-page.js';
import { type JsonQuery, type JsonServices, textOf } from './json-service.js';

/** The outcome of a request. `{field}` in its texts is replaced by that field of the request. */
interface Outcome {
  readonly reply?: JsonObject;
  /** `code` is a gRPC status code. */
  readonly error?: { readonly code: number; readonly text: string };
}

/** The first case whose request fields are equal decides, else the outcome of the method itself. */
interface MethodFixture extends Outcome {
  /** A request with a reply. */
  readonly example: JsonObject;
  readonly cases?: readonly (Outcome & { readonly request: JsonObject })[];
  readonly list?: ListFixture;
}

/** A list in a reply, cut into pages if the reply type has `pagination`. */
interface ListFixture {
  /** The repeated field of the reply. */
  readonly field: string;
  /** The field of an item that orders the list. */
  readonly key: string;
  readonly items: readonly JsonObject[];
  /** Field of an item by field of the request: an empty request field selects every item. */
  readonly where?: Readonly<Record<string, string>>;
}

/** Folder of the fixtures of this package: one file for each service, named after the service. */
const FIXTURES = new URL('../../fixtures/', import.meta.url);

/**
 * Reads the fixtures of a folder and checks them against the descriptors.
 *
 * @throws Error that names file, method and field for a fixture that does not fit its message types
 */
export function readFixtures(registry: FileRegistry, folder: URL = FIXTURES): JsonServices {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.sort().map((file) => [file.slice(0, -'.json'.length), readService(registry, folder, file)]),
  );
}

function readService(registry: FileRegistry, folder: URL, file: string): Record<string, JsonQuery> {
  const service = registry.getService(file.slice(0, -'.json'.length));
  if (service === undefined) throw new Error(`${file}: the file name is no service`);
  let methods: Record<string, MethodFixture>;
  try {
    methods = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, MethodFixture>;
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return Object.fromEntries(
    Object.entries(methods).map(([name, fixture]) => {
      const method = service.methods.find((each) => each.name === name);
      if (method === undefined) throw new Error(`${file}: ${name}: no such method`);
      try {
        check(registry, method.input, method.output, fixture);
      } catch (error) {
        throw new Error(`${file}: ${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      return [name, queryOf(fixture, hasField(method.output, 'pagination'))];
    }),
  );
}

function check(registry: FileRegistry, input: DescMessage, output: DescMessage, fixture: MethodFixture): void {
  const { example, cases = [], list } = fixture;
  if (example === undefined) throw new Error('example is missing');
  fromJson(input, example, { registry });
  if (list === undefined) checkOutcome(registry, output, fixture);
  else checkList(registry, input, output, list);
  for (const each of cases) {
    if (each.request === undefined) throw new Error('cases: request is missing');
    fromJson(input, each.request, { registry });
    checkOutcome(registry, output, each);
  }
}

function checkOutcome(registry: FileRegistry, output: DescMessage, { reply, error }: Outcome): void {
  if ((reply === undefined) === (error === undefined)) throw new Error('needs either reply or error');
  if (reply !== undefined) fromJson(output, reply, { registry });
  if (error === undefined) return;
  if (!Number.isInteger(error.code) || error.code < 1 || error.code > 16) throw new Error('error.code: not 1 to 16');
  if (typeof error.text !== 'string') throw new Error('error.text: not a string');
}

function checkList(registry: FileRegistry, input: DescMessage, output: DescMessage, list: ListFixture): void {
  fromJson(output, { [list.field]: [...list.items] }, { registry });
  for (const item of list.items) {
    if (textOf(item, list.key) === '') throw new Error(`list.key: an item has no text in ${list.key}`);
  }
  for (const field of Object.keys(list.where ?? {})) {
    if (!hasField(input, field)) throw new Error(`list.where: the request has no field ${field}`);
  }
}

function hasField(message: DescMessage, name: string): boolean {
  return message.fields.some((field) => field.name === name);
}

function queryOf(fixture: MethodFixture, isPaged: boolean): JsonQuery {
  const { example, cases = [], list } = fixture;
  return {
    example,
    answer(request) {
      const found = cases.find((each) =>
        Object.entries(each.request).every(([field, value]) => request[field] === value),
      );
      if (found === undefined && list !== undefined) return listReply(list, request, isPaged);
      return outcomeOf(found ?? fixture, request);
    },
  };
}

function outcomeOf({ reply, error }: Outcome, request: JsonObject): JsonObject {
  if (error !== undefined) throw new StatusError(error.code, fillText(error.text, request));
  return fill(reply ?? {}, request) as JsonObject;
}

function listReply({ field, key, items, where = {} }: ListFixture, request: JsonObject, isPaged: boolean): JsonObject {
  const selected = items.filter((item) =>
    Object.entries(where).every(([asked, own]) => [textOf(item, own), ''].includes(textOf(request, asked))),
  );
  if (!isPaged) return { [field]: selected };
  return jsonPage(
    field,
    table<JsonValue>(selected, (item) => textOf(item as JsonObject, key)),
    request,
  );
}

function fill(value: JsonValue, request: JsonObject): JsonValue {
  if (typeof value === 'string') return fillText(value, request);
  if (Array.isArray(value)) return value.map((item) => fill(item, request));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, request)]));
}

function fillText(text: string, request: JsonObject): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (_, field: string) => textOf(request, field));
}
