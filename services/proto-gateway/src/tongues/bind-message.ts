import type { DescMessage } from '@bufbuild/protobuf';
import { bindBody } from '@mlango/transcoder/bind-body';
import type { BindOptions, BoundRequest } from '@mlango/transcoder/bind-request';
import { applyPageRules, hasPages } from '@mlango/transcoder/page-rules';
import { RequestDraft, type Violation } from '@mlango/transcoder/request-draft';
import type { SpokenCall } from './tongue.js';

/**
 * The request message of a call, in protobuf. Bytes go to the node as they came, but for those that ask for a page, which has
 * bounds: of them the limit is set.
 */
export function bindMessage(input: DescMessage, { codec, message }: SpokenCall, options: BindOptions): BoundRequest {
  if (codec === 'proto' && !hasPages(input)) return { bytes: message, ignored: [] };
  const draft = new RequestDraft(input);
  const violations = codec === 'json' ? bindBody(draft, '*', message, options) : fill(draft, message);
  if (violations.length === 0) violations.push(...applyPageRules(draft, options.pages));
  return violations.length > 0 ? { violations } : { bytes: draft.toBytes(), ignored: [] };
}

function fill(draft: RequestDraft, message: Uint8Array): Violation[] {
  try {
    draft.fillFromBytes(message);
    return [];
  } catch {
    return [{ field: 'message', description: `is not a ${draft.desc.typeName}` }];
  }
}
