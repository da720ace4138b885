import type { ModelErrorKind } from '../model-error.js';
import type { EndpointError } from './endpoint-error.js';

/** Cause of a refusal, with a text for the user. */
export interface Refusal {
  readonly kind: ModelErrorKind;
  /** Undefined if the kind is sufficient. */
  readonly detail?: string;
}

interface Rule extends Refusal {
  /** Codes and types of providers. */
  readonly words: readonly string[];
  /** Error texts of providers without a code. A user can cause a match, but misleads only themselves. */
  readonly pattern?: RegExp;
  readonly param?: RegExp;
}

const operator = 'Please contact the operator.';

/** The first match applies. */
const rules: readonly Rule[] = [
  {
    kind: 'billing',
    words: ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'billing_error'],
    pattern: /credit balance is too low/i,
  },
  { kind: 'auth', words: ['invalid_api_key', 'authentication_error'], pattern: /\bapi key not valid\b/i },
  { kind: 'rate_limit', words: ['rate_limit_exceeded', 'rate_limit_error', 'RESOURCE_EXHAUSTED'] },
  { kind: 'server', words: ['server_error', 'overloaded_error', 'api_error', 'UNAVAILABLE'] },
  {
    kind: 'unknown',
    detail: 'The conversation is too long for this model.',
    words: ['context_length_exceeded', 'request_too_large'],
    pattern: /maximum context length|prompt is too long|input token count .*exceeds/i,
  },
  {
    kind: 'unknown',
    detail: 'A filter of the model provider blocked the message.',
    words: ['content_filter', 'content_policy_violation', 'ResponsibleAIPolicyViolation'],
    pattern: /requires moderation/i,
  },
  {
    kind: 'unknown',
    detail: `The model provider does not accept tools with this model, or not the tools of this service. ${operator}`,
    words: ['invalid_function_parameters'],
    pattern: /does not support tools|support tool use|tool choice requires/i,
    param: /^(tools|tool_choice|parallel_tool_calls)\b/,
  },
  {
    kind: 'unknown',
    detail: `A setting of the request does not fit this model. ${operator}`,
    words: ['unsupported_parameter', 'unsupported_value', 'unknown_parameter'],
    pattern: /\bunsupported (parameter|value)\b/i,
    param: /^(temperature|top_p|reasoning_effort|max_tokens|max_completion_tokens)$/,
  },
  {
    kind: 'unknown',
    detail: `The model provider has no such model. ${operator}`,
    words: ['model_not_found', 'DeploymentNotFound', 'not_found_error', 'NotFoundError', 'NOT_FOUND'],
    pattern: /\bnot a valid model\b|\bmodel\b.*\b(not found|does not exist)/i,
  },
];

/** Finds the cause of a provider's error; undefined if it is unknown. */
export function refusalOf({ code, type, param = '', message = '' }: EndpointError): Refusal | undefined {
  const hasWord = (word: string | undefined) => word !== undefined && rules.some(({ words }) => words.includes(word));
  // A code is more specific than a type, and a type more than a text.
  const word = [code, type].find(hasWord);
  if (word !== undefined) return rules.find(({ words }) => words.includes(word));
  const excerpt = message.slice(0, 2_000);
  return rules.find(({ pattern, param: of }) => pattern?.test(excerpt) === true || of?.test(param) === true);
}

/** Request fields with paths that a log may contain. */
const fields = /^(messages|tools|tool_choice|response_format|stream_options)\b/;

/**
 * Parts of a provider's error for the log: its code, type and parameter, if they look like identifiers. Error texts are dropped,
 * because providers repeat keys, addresses and prompts in them.
 */
export function loggable({ code, type, param }: EndpointError): string[] {
  const isWord = (text: string | undefined) => text !== undefined && /^[A-Za-z][A-Za-z_]{0,47}$/.test(text);
  const isPath =
    param !== undefined && fields.test(param) && /^[A-Za-z_]{1,48}(\[\d{1,4}\]|\.[A-Za-z_]{1,48}){0,8}$/.test(param);
  return [
    ...(isWord(code) ? [`code ${code}`] : []),
    ...(isWord(type) ? [`type ${type}`] : []),
    ...(isWord(param) || isPath ? [`parameter ${param}`] : []),
  ];
}
