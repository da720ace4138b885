import { create, type DescField, type DescMessage, type JsonValue } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { findField } from '../fields/field-path.js';
import { isHttpBody } from '../rules/http-body.js';
import { isObject } from './check-body.js';
import type { RequestDraft } from './request-draft.js';

const MASK = 'google.protobuf.FieldMask';
const ANY = 'google.protobuf.Any';
/** Messages with dynamic members: each member is a path. */
const OPEN: ReadonlySet<string> = new Set(['google.protobuf.Struct', 'google.protobuf.Value']);

/**
 * Fills the field mask of a PATCH request with the paths in its body, null members included, unless the request has a mask.
 * Applies if the body is one field and the request has exactly one field mask.
 * Source: grpc-gateway, "Patch feature" and `FieldMaskFromRequestBody`.
 *
 * @param body JSON that fits the field
 */
export function fillPatchMask(draft: RequestDraft, bodyField: string, body: Uint8Array): void {
  const field = maskFieldOf(draft.desc);
  const patched = findField(draft.desc, bodyField)?.message;
  if (field === undefined || patched === undefined || isHttpBody(patched)) return;
  if (body.length === 0 || hasPaths(draft, field)) return;
  const paths = [...pathsOf(patched, JSON.parse(new TextDecoder().decode(body)), '')].sort();
  if (paths.length === 0) return;
  draft.message.set(field, reflect(field.message, Object.assign(create(field.message), { paths })));
}

type MaskField = DescField & { readonly fieldKind: 'message' };

function maskFieldOf(desc: DescMessage): MaskField | undefined {
  const masks = desc.fields.filter(
    (field): field is MaskField => field.fieldKind === 'message' && field.message.typeName === MASK,
  );
  return masks.length === 1 ? masks[0] : undefined;
}

function hasPaths(draft: RequestDraft, field: MaskField): boolean {
  if (!draft.message.isSet(field)) return false;
  const { paths } = draft.message.get(field).message as unknown as { readonly paths: readonly string[] };
  return paths.length > 0;
}

/** The paths of a message: lists and maps as a whole, other messages by their fields. */
function* pathsOf(desc: DescMessage | undefined, json: JsonValue, at: string): Generator<string> {
  const members = isObject(json) ? Object.entries(json) : [];
  if (members.length === 0 || desc?.typeName === ANY) {
    if (at !== '') yield at;
    return;
  }
  for (const [name, value] of members) {
    const isOpen = desc === undefined || OPEN.has(desc.typeName);
    const field = isOpen ? undefined : findField(desc, name);
    if (!isOpen && field === undefined) continue;
    const path = at === '' ? (field?.name ?? name) : `${at}.${field?.name ?? name}`;
    if (field === undefined || field.fieldKind === 'message') yield* pathsOf(field?.message, value, path);
    else yield path;
  }
}
