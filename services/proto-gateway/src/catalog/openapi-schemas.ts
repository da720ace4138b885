import type { DescMessage } from '@bufbuild/protobuf';
import { rpcError } from '@mlango/schemas/proto-gateway';
import { z } from 'zod';
import { describeField, type Schema, type SchemaReferences } from './openapi-field.js';
import { commentOf } from './proto-comments.js';

/** The component schemas of a document: each message once, however often it is met. */
export class SchemaCollector implements SchemaReferences {
  readonly #schemas = new Map<string, Schema>();

  reference(message: DescMessage): Schema {
    if (!this.#schemas.has(message.typeName)) {
      const comment = commentOf(message);
      const schema: Schema = { type: 'object', ...(comment === undefined ? {} : { description: comment }) };
      // Known before its fields are described, since a message may hold itself.
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
