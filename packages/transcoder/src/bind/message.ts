import type { DescMessage } from '@bufbuild/protobuf';
import { bindBody } from './body.js';
import { type BindOptions, type BoundRequest, finish } from './request.js';
import { RequestDraft } from './request-draft.js';
import type { Violation } from './violation.js';

/** How a message is spelled. */
export type Codec = 'proto' | 'json';

/** A complete request: bytes without applicable rules are passed through unchanged. */
export function bindMessage(desc: DescMessage, codec: Codec, message: Uint8Array, options: BindOptions): BoundRequest {
  if (codec === 'proto' && !options.rules.some((rule) => rule.concerns(desc))) return { bytes: message, ignored: [] };
  const draft = new RequestDraft(desc, options.formatOf);
  const violations = codec === 'json' ? bindBody(draft, '*', message, options) : fill(draft, message);
  return finish(draft, violations, [], options.rules);
}

/** Limit for a message with rules: one of many small messages is processed without a break. */
const MAX_LOOKED_INTO_BYTES = 64 * 1024;

function fill(draft: RequestDraft, message: Uint8Array): Violation[] {
  if (message.length > MAX_LOOKED_INTO_BYTES) {
    return [{ field: 'message', description: `has more than ${MAX_LOOKED_INTO_BYTES} bytes` }];
  }
  try {
    draft.fillFromBytes(message);
    return [];
  } catch {
    return [{ field: 'message', description: `is not a ${draft.desc.typeName}` }];
  }
}
