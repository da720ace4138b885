import type { FinishReason } from 'ai';
import { ModelError } from '../model-error.js';

/** How an answer ended: complete, cut at the length limit, or with an error. */
export type AnswerEnding = 'complete' | 'cut' | ModelError;

const words = {
  complete: 'stop tool_calls function_call end_turn tool_use stop_sequence eos eos_token complete done',
  cut: 'length max_tokens max_output_tokens max_length model_length model_context_window_exceeded',
  filtered:
    'content_filter content_filtered safety image_safety recitation blocklist prohibited_content spii sensitive refusal guardrail_intervened',
  failed: 'error insufficient_system_resource abort aborted cancelled network_error malformed_function_call',
};

const endings = new Map(
  Object.entries(words).flatMap(([ending, names]) => names.split(' ').map((name) => [name, ending] as const)),
);

const filtered = 'The model provider blocked this answer.';
const failed = 'The model provider has a problem. Please try again later.';
const unknown =
  'The model provider ended the answer in an unknown way, so it may be incomplete. Please try again later.';

/**
 * Classifies a finish reason. An unknown reason does not end a complete answer.
 *
 * @param reason as the SDK names it
 * @param raw as the endpoint names it, for a reason that the SDK does not know
 */
export function answerEnding(reason: FinishReason, raw: string | undefined): AnswerEnding {
  if (reason === 'stop' || reason === 'tool-calls') return 'complete';
  if (reason === 'length') return 'cut';
  const known = reason === 'content-filter' ? 'filtered' : endings.get(raw?.toLowerCase() ?? '');
  if (known === 'complete' || known === 'cut') return known;
  if (known === 'filtered') return new ModelError('unknown', filtered, { retryable: false });
  const named = raw !== undefined && /^[A-Za-z_]{1,48}$/.test(raw) ? raw : 'an unknown reason';
  const cause = new Error(`the provider ended the answer with finish reason ${named}`);
  return new ModelError('server', known === 'failed' ? failed : unknown, { retryable: true, cause });
}
