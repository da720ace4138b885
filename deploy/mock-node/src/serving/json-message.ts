import {
  type DescMessage,
  fromBinary,
  fromJson,
  isMessage,
  type JsonObject,
  type Message,
  type Registry,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { AnySchema } from '@bufbuild/protobuf/wkt';

/** The message of a JSON with names as declared, in bytes as a chain writes them: types in an Any are named without a host. */
export function bytesOf(desc: DescMessage, json: JsonObject, registry: Registry): Buffer {
  const message = fromJson(desc, json, { registry });
  dropHosts(desc, message, registry);
  return Buffer.from(toBinary(desc, message));
}

/** The JSON of a message, with names as declared and all fields except absent optional ones. */
export function jsonOf(desc: DescMessage, bytes: Uint8Array, registry: Registry): JsonObject {
  const options = { registry, useProtoFieldName: true, alwaysEmitImplicit: true };
  return toJson(desc, fromBinary(desc, bytes), options) as JsonObject;
}

/** The JSON of a request, with names as declared and without empty fields, as a person would write it. */
export function requestJsonOf(desc: DescMessage, bytes: Uint8Array, registry: Registry): JsonObject {
  return toJson(desc, fromBinary(desc, bytes), { registry, useProtoFieldName: true }) as JsonObject;
}

function dropHosts(desc: DescMessage, message: Message, registry: Registry): void {
  if (isMessage(message, AnySchema)) {
    const name = message.typeUrl.slice(message.typeUrl.lastIndexOf('/') + 1);
    const inner = registry.getMessage(name);
    if (inner === undefined) return;
    const value = fromBinary(inner, message.value);
    dropHosts(inner, value, registry);
    message.typeUrl = `/${name}`;
    message.value = toBinary(inner, value);
    return;
  }
  const fields = reflect(desc, message);
  for (const field of desc.fields) {
    if (!fields.isSet(field)) continue;
    if (field.fieldKind === 'message') dropHosts(field.message, fields.get(field).message, registry);
    else if (field.fieldKind === 'list' && field.listKind === 'message') {
      for (const item of fields.get(field)) {
        // A list of messages contains only messages; its static type is wider.
        const { message: each } = item as { message: Message };
        dropHosts(field.message, each, registry);
      }
    }
  }
}
