import { create, type DescField, type Message } from '@bufbuild/protobuf';

/** A message as @bufbuild/protobuf has it: an object with a property for each field. */
export type PlainMessage = Message & { [name: string]: unknown };

/**
 * Whether the values of a path are plain object properties, which can be set without descriptors: numbers, texts, bytes, enums
 * and lists of these, in nested messages. The library stores oneof members, maps and google.protobuf types in other forms.
 */
export function isPlainPath(fields: readonly DescField[]): boolean {
  return fields.every((field, at) => {
    if (field.oneof !== undefined || field.fieldKind === 'map') return false;
    if (at === fields.length - 1)
      return field.message === undefined && !('longAsString' in field && field.longAsString);
    return field.fieldKind === 'message' && !field.message.typeName.startsWith('google.protobuf.');
  });
}

/** Sets the field at the end of a plain path, or adds to the list there. */
export function setPlainly(root: PlainMessage, fields: readonly DescField[], value: unknown): void {
  let message = root;
  for (const field of fields) {
    const known = message[field.localName];
    if (field.fieldKind === 'message') message = isMessage(known) ? known : addChild(message, field);
    else if (Array.isArray(known)) known.push(value);
    else message[field.localName] = value;
  }
}

function addChild(message: PlainMessage, field: DescField & { fieldKind: 'message' }): PlainMessage {
  const child: PlainMessage = create(field.message);
  message[field.localName] = child;
  return child;
}

export function isMessage(value: unknown): value is PlainMessage {
  return typeof value === 'object' && value !== null && '$typeName' in value;
}
