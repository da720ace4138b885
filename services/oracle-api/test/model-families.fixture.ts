import { isDeepStrictEqual } from 'node:util';
import type { ReceivedRequest, Reply } from '../src/models/providers/stand-in-endpoint.fixture.js';

/** A message of a request, as far as the endpoint validates it. */
interface SentMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { id: string; extra_content?: unknown }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/** A family of models: its format for two parallel calls, and its refusals. */
export interface ModelFamily {
  /** Deltas of the step that calls `remember` and `recall`. */
  readonly step: (turn: number) => readonly object[];
  /** Reason of a 400 reply; undefined for an accepted request. */
  readonly problem: (messages: readonly SentMessage[], stepsOfTurn: readonly SentMessage[]) => string | undefined;
  /** Refused requests before the service detects the format of the model. */
  readonly refusals?: number;
}

const twoCalls = (ids: readonly [string, string], more: object = {}) => [
  {
    tool_calls: [
      { index: 0, id: ids[0], type: 'function', function: { name: 'remember', arguments: '{"con' }, ...more },
    ],
  },
  { tool_calls: [{ index: 0, function: { arguments: 'tent":"it rains"}' } }] },
  { tool_calls: [{ index: 1, id: ids[1], type: 'function', function: { name: 'recall', arguments: '{}' } }] },
];

const idsIn = (messages: readonly SentMessage[]) =>
  messages.flatMap(({ tool_calls: calls = [], tool_call_id: id }) => [
    ...calls.map((call) => call.id),
    ...(id === undefined ? [] : [id]),
  ]);

/** The rule of Mistral, of Gemma's template and of DeepSeek R1. */
function alternationProblem(messages: readonly SentMessage[]): string | undefined {
  const roles = messages.map(({ role }) => role).filter((role) => role !== 'system');
  if (roles[0] !== 'user') return 'the first message is not of the user';
  const broken = roles.findIndex(
    (role, at) =>
      at > 0 && ((role === roles[at - 1] && role !== 'tool') || (role === 'user' && roles[at - 1] === 'tool')),
  );
  return broken === -1 ? undefined : `unexpected role ${roles[broken]} after role ${roles[broken - 1]}`;
}

const every = (steps: readonly SentMessage[], holds: (step: SentMessage) => boolean, problem: string) =>
  steps.every(holds) ? undefined : problem;

const kimiIds = (turn: number): [string, string] => [`functions.remember:${turn}`, `functions.recall:${turn}`];
const signature = 'EjQKMgEMOdbHJChLX75QUCJjyYlm'.repeat(40);
const details = [
  { type: 'reasoning.text', text: 'It wants ', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.text', text: 'a note.', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.text', text: '', signature: 'sig-1', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'gAAAA', id: 'rs_1', index: 1 },
];
const joinedDetails = [
  { type: 'reasoning.text', text: 'It wants a note.', signature: 'sig-1', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'gAAAA', id: 'rs_1', index: 1 },
];

export const modelFamilies: Readonly<Record<string, ModelFamily>> = {
  Mistral: {
    step: (turn) => twoCalls([`aB3dE6gH${turn}`, `bB3dE6gH${turn}`]),
    problem: (messages) =>
      alternationProblem(messages) ??
      (idsIn(messages).every((id) => /^[A-Za-z0-9]{9}$/.test(id))
        ? undefined
        : 'tool call ids have 9 letters and digits'),
  },
  'Mistral, a model that thinks': {
    step: (turn) => [
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'It wants a note.' }] }] },
      ...twoCalls([`aB3dE6gH${turn}`, `bB3dE6gH${turn}`]),
    ],
    problem: (messages, steps) =>
      every(messages, (message) => !('reasoning_content' in message), 'extra inputs are not permitted') ??
      every(
        steps,
        ({ content }) =>
          JSON.stringify(content) ===
          JSON.stringify([{ type: 'thinking', thinking: [{ type: 'text', text: 'It wants a note.' }] }]),
        'the thinking is missing',
      ),
  },
  Kimi: {
    step: (turn) => [{ reasoning_content: 'It wants a note.' }, ...twoCalls(kimiIds(turn))],
    problem: (_, steps) =>
      every(
        steps,
        ({ tool_calls: [call] = [] }) => /^functions\.remember:\d$/.test(call?.id ?? ''),
        'an id is unknown',
      ),
  },
  'LiteLLM, ids with signatures': {
    step: (turn) => twoCalls([`call_${turn}__thought__${signature}`, `call_${turn}b`]),
    problem: (_, steps) =>
      every(
        steps,
        ({ tool_calls: [call] = [] }) => call?.id.endsWith(signature) === true,
        'a thought signature is missing',
      ),
  },
  'DeepSeek, a model that thinks': {
    step: (turn) => [
      { reasoning_content: 'It wants ' },
      { reasoning_content: 'a note.' },
      ...twoCalls([`call_${turn}`, `call_${turn}b`]),
    ],
    problem: (messages, steps) =>
      alternationProblem(messages) ??
      every(
        steps,
        (step) => step['reasoning_content'] === 'It wants a note.',
        'the reasoning_content must be passed back',
      ),
  },
  'DeepSeek V4': {
    step: (turn) => [{ reasoning_content: 'It wants a note.' }, ...twoCalls([`call_${turn}`, `call_${turn}b`])],
    problem: (messages, steps) =>
      every(steps, (step) => step['reasoning_content'] === 'It wants a note.', 'the reasoning was changed') ??
      every(
        messages.filter(({ tool_calls: calls }) => calls !== undefined),
        (message) => typeof message['reasoning_content'] === 'string',
        'The `reasoning_content` in the thinking mode must be passed back to the API.',
      ),
    refusals: 1,
  },
  'OpenRouter, a model that signs its thinking': {
    step: (turn) => [
      ...details.map((detail) => ({ content: '', reasoning: detail.text ?? null, reasoning_details: [detail] })),
      ...twoCalls([`call_${turn}`, `call_${turn}b`]),
    ],
    problem: (_, steps) =>
      every(
        steps,
        (step) =>
          isDeepStrictEqual(step['reasoning_details'], joinedDetails) &&
          step['reasoning'] === 'It wants a note.' &&
          !('reasoning_content' in step),
        'the reasoning details were changed',
      ),
  },
  Gemini: {
    step: (turn) =>
      twoCalls([`call_${turn}`, `call_${turn}b`], { extra_content: { google: { thought_signature: signature } } }),
    problem: (_, steps) =>
      every(
        steps,
        ({ tool_calls: [call] = [] }) => JSON.stringify(call?.extra_content ?? '').includes(signature),
        'a thought signature is missing',
      ),
  },
  'a model that thinks in its text': {
    step: (turn) => [
      { content: '<think>It wants ' },
      { content: 'a note.</think>' },
      ...twoCalls([`call_${turn}`, `call_${turn}b`]),
    ],
    problem: (_, steps) =>
      every(steps, ({ content }) => content === '<think>It wants a note.</think>', 'the thinking is missing'),
  },
  'a server without ids': {
    step: () => twoCalls(['', '']),
    problem: (messages) => {
      const made = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
      return new Set(made).size === made.length && !made.includes('') ? undefined : 'ids are not unique';
    },
  },
  'a server that uses its ids again': {
    step: () => twoCalls(['call_0', 'call_1']),
    problem: (messages) => {
      const made = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
      return new Set(made).size === made.length ? undefined : 'ids are not unique';
    },
  },
};

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** The family's endpoint: two steps of two calls in each turn, then text. Refused requests are listed in `problems`. */
export function familyEndpoint({ step, problem }: ModelFamily, problems: string[]): Reply {
  let steps = 0;
  return (response, { body }: ReceivedRequest) => {
    const messages: SentMessage[] = body.messages;
    const turnStart = messages.findLastIndex(({ role }) => role === 'user');
    const stepsOfTurn = messages.slice(turnStart).filter(({ tool_calls: calls }) => calls !== undefined);
    const refusal = problem(messages, stepsOfTurn);
    if (refusal !== undefined) {
      problems.push(refusal);
      response.writeHead(400, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: refusal, type: 'invalid_request_error' } }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const question = String(messages[turnStart]?.content);
    if (question.endsWith('Stop here')) return void response.write(chunk({ content: '' }));
    if (question.endsWith('Break here')) return void response.end(chunk({ content: '' }, 'error'));
    const isCalling = body.tools !== undefined && stepsOfTurn.length < 2;
    const deltas = isCalling ? step(steps++ % 10) : [{ content: 'Noted.' }];
    response.write(deltas.map((delta) => chunk(delta)).join(''));
    return void response.end(`${chunk({}, isCalling ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
  };
}
