import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Table } from '../table.js';
import { textOf } from './json-service.js';

/** A page of a table as a reply has it: `{[name]: items, pagination}`. */
export function jsonPage(name: string, table: Table<JsonValue>, request: JsonObject): JsonObject {
  const asked = request['pagination'];
  const page = typeof asked === 'object' && asked !== null && !Array.isArray(asked) ? asked : {};
  const { items, pagination } = table.page({
    key: Buffer.from(textOf(page, 'key'), 'base64'),
    offset: textOf(page, 'offset') || '0',
    limit: textOf(page, 'limit') || '0',
    count_total: page['count_total'] === true,
    reverse: page['reverse'] === true,
  });
  return { [name]: items, pagination: { next_key: pagination.next_key.toString('base64'), total: pagination.total } };
}
