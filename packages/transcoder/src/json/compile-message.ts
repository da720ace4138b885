import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { WIRE } from '../wire/cursor.js';
import { compileField, indexByTag } from './compile-field.js';
import type { FieldPlan, MessagePlan, PlanContext, ValueWriter } from './message-plan.js';
import { wellKnownWriter } from './well-known.js';
import { writeAnyOrder } from './write-any-order.js';
import { inOrderWriter } from './write-in-order.js';

/** Compiles a message type: one closure for each field, made once. */
export function compileMessage(desc: DescMessage, context: PlanContext): MessagePlan {
  const { length } = desc.fields;
  const extensions = extensionsOf(desc, context.registry).map((field, index) => ({
    ...compileField(field, length + index, context),
    absent: undefined,
  }));
  const fields = [...desc.fields.map((field, index) => compileField(field, index, context)), ...extensions];
  const shared = { fields, byTag: indexByTag(fields) };
  return { ...shared, write: wellKnownWriter(desc, context) ?? fieldsWriter(shared) };
}

/** The extensions of a message as fields with the names `[package.name]`. */
function extensionsOf(desc: DescMessage, registry: Registry): DescField[] {
  if (desc.proto.extensionRange.length === 0) return [];
  const found = [...registry].filter((type) => type.kind === 'extension' && type.extendee.typeName === desc.typeName);
  return found.map((extension) =>
    Object.assign(Object.create(extension), { kind: 'field', name: `[${extension.typeName}]` }),
  );
}

function fieldsWriter(plan: Pick<MessagePlan, 'fields' | 'byTag'>): ValueWriter {
  const writeInOrder = canComeInOrder(plan.fields) ? inOrderWriter(plan) : undefined;
  return (cursor, end, mask) => {
    cursor.enter();
    if (mask === undefined && cursor.isOrdered && writeInOrder !== undefined) writeInOrder(cursor, end);
    else writeAnyOrder(plan, cursor, end, mask);
    cursor.leave();
  };
}

/**
 * True if encoders, which write fields by number, send them in the order in which they are written here, and if the tag alone
 * identifies the handling of a field.
 */
function canComeInOrder(fields: readonly FieldPlan[]): boolean {
  return fields.every((plan, at) => {
    const before = fields[at - 1];
    const isAscending = before === undefined || before.field.number < plan.field.number;
    const isSimple = plan.known === undefined && (plan.tag & 7) !== WIRE.groupStart;
    const isScattered =
      plan.oneof !== undefined &&
      before?.oneof !== plan.oneof &&
      fields.slice(0, at).some((other) => other.oneof === plan.oneof);
    return isAscending && isSimple && !isScattered;
  });
}
