import { fromBinary, isMessage, type JsonValue, type Message, type Registry, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { AnySchema } from '@bufbuild/protobuf/wkt';

/**
 * Restores the type names that an Any had in JSON, where the library wrote another one: a chain accepts
 * `/cosmos.bank.v1beta1.MsgSend`, but not `type.googleapis.com/cosmos.bank.v1beta1.MsgSend`.
 */
export function preserveTypeUrls(message: Message, json: JsonValue, registry: Registry): void {
  const urls = new Map<string, string>();
  collectUrls(json, urls);
  if (urls.size > 0) renameIn(message, urls, registry);
}

function collectUrls(json: JsonValue, urls: Map<string, string>): void {
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    if (name === '@type' && typeof value === 'string') urls.set(value.slice(value.lastIndexOf('/') + 1), value);
    else collectUrls(value, urls);
  }
}

function renameIn(message: Message, urls: ReadonlyMap<string, string>, registry: Registry): void {
  const desc = registry.getMessage(message.$typeName);
  if (isMessage(message, AnySchema)) {
    const name = message.typeUrl.slice(message.typeUrl.lastIndexOf('/') + 1);
    const inner = registry.getMessage(name);
    if (inner === undefined) return;
    const value = fromBinary(inner, message.value);
    renameIn(value, urls, registry);
    message.typeUrl = urls.get(name) ?? message.typeUrl;
    message.value = toBinary(inner, value);
    return;
  }
  if (desc === undefined) return;
  const fields = reflect(desc, message);
  for (const field of desc.fields) {
    if (!fields.isSet(field)) continue;
    if (field.fieldKind === 'message') renameIn(fields.get(field).message, urls, registry);
    else if ((field.fieldKind === 'list' || field.fieldKind === 'map') && field.message !== undefined) {
      // Values of both are reflected messages, which list types do not express.
      const values = Array.from(fields.get(field).values()) as { message: Message }[];
      for (const each of values) renameIn(each.message, urls, registry);
    }
  }
}
