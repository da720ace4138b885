import type { RouteName } from '../src/identity/route-rights.js';
import { type CanaryWorld, canary, zoom } from './canary-world.fixture.js';

export interface Attempt {
  readonly url: string;
  readonly payload?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it declares a tool, has the result of a call, or decides on one. */
  readonly hasCalls?: true;
  /** Called after the reply has begun to be read, or has ended. */
  readonly afterwards?: () => Promise<void>;
}

const rpc = (url: string, method: string, params: object, afterwards?: Attempt['afterwards']): Attempt => ({
  url,
  payload: { jsonrpc: '2.0', id: 1, method, params },
  ...(afterwards && { afterwards }),
});
const fine = { message: 'say: fine' };
const withCalls = (attempt: Attempt): Attempt => ({ ...attempt, hasCalls: true });
const declared = [{ name: 'zoom', description: 'Zooms', schema: { type: 'object' } }];
const chat = (id: string, more: object = {}) => ({
  id,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'say: fine' }] }],
  ...more,
});
const agUi = (threadId: string, runId: string, more: object = {}): Attempt => ({
  url: '/ag-ui',
  payload: { threadId, runId, messages: [{ role: 'user', content: 'say: fine' }], ...more },
});
const a2a = (messageId: string, parts: object[], place: object = {}) => ({
  message: { messageId, role: 'ROLE_USER', parts, ...place },
});
const mcpEvent = (runId: string) => Buffer.from(JSON.stringify([runId, 1, 0, null])).toString('base64url');
const responseId = (session: string, request: string) => `resp_${session}.${request}`;

/** Requests of each route, among them those with earlier content in their reply. */
export const attemptsOf: Record<Exclude<RouteName, 'GET /credits'>, (world: CanaryWorld) => Promise<Attempt[]>> = {
  'POST /sessions': async () => [{ url: '/sessions', payload: {} }],
  'GET /sessions': async () => [{ url: '/sessions' }],
  'GET /sessions/search': async () => [{ url: '/sessions/search?q=say' }],
  'PATCH /sessions/:sessionId': async ({ session }) => [{ url: `/sessions/${session}`, payload: { archived: false } }],
  'DELETE /sessions/:sessionId': async ({ openSession }) => [{ url: `/sessions/${await openSession()}` }],
  'GET /sessions/:sessionId/messages': async ({ session }) => [{ url: `/sessions/${session}/messages` }],
  'GET /sessions/:sessionId/branches': async ({ session, sendMessage }) => {
    await sendMessage(session, `say: ${canary}`);
    return [{ url: `/sessions/${session}/branches` }];
  },
  'PUT /sessions/:sessionId/branch': async ({ session, messageId }) => [
    { url: `/sessions/${session}/branch`, payload: { messageId } },
  ],
  'GET /sessions/:sessionId/run': async ({ named }) => [{ url: `/sessions/${named}/run` }],
  'POST /sessions/:sessionId/messages/:messageId/regenerate': async ({ session }) => {
    const url = `/sessions/${session}/messages/second/regenerate`;
    return [
      { url, payload: {} },
      { url, payload: { stream: true } },
      { url, payload: { returnAllMessages: true } },
      withCalls({ url, payload: { tools: declared } }),
    ];
  },
  'GET /messages/:sessionId': async ({ session }) => [{ url: `/messages/${session}` }],
  'POST /messages/:sessionId': async ({ session }) => [
    { url: `/messages/${session}`, payload: fine },
    { url: `/messages/${session}`, payload: { ...fine, stream: true } },
    { url: `/messages/${session}`, payload: { ...fine, requestId: 'first' } },
    { url: `/messages/${session}`, payload: { ...fine, edits: 'second' } },
    { url: `/messages/${session}`, payload: { ...fine, returnAllMessages: true } },
    withCalls({ url: `/messages/${session}`, payload: { ...fine, tools: declared } }),
    withCalls({ url: `/messages/${session}`, payload: { ...fine, agActions: declared } }),
  ],
  'POST /messages/abort': async ({ session, liveRun }) => {
    const { sessionId, end } = await liveRun();
    return [
      { url: '/messages/abort', payload: { sessionId: session } },
      { url: '/messages/abort', payload: { sessionId }, afterwards: end },
    ];
  },
  'GET /runs/:runId': async ({ runId }) => [{ url: `/runs/${runId}` }, { url: `/runs/${runId}?after=1` }],
  'GET /approvals': async ({ waitingCall }) => {
    await waitingCall();
    return [{ url: '/approvals' }];
  },
  'POST /runs/:runId/approvals/:toolCallId': async ({ waitingCall }) => {
    const { runId, toolCallId } = await waitingCall();
    const url = `/runs/${runId}/approvals/${toolCallId}`;
    return ['deny', 'allow'].map((decision) => withCalls({ url, payload: { decision } }));
  },

  'GET /v1/models': async () => [{ url: '/v1/models' }],
  'GET /v1/models/:model': async () => [{ url: '/v1/models/local' }],
  'POST /v1/chat/completions': async ({ session, handedCall }) => {
    const { sessionId, callId } = await handedCall();
    const result = { role: 'tool', tool_call_id: callId, content: 'zoomed' };
    const url = '/v1/chat/completions';
    const payload = { model: 'local', messages: [{ role: 'user', content: 'say: fine' }] };
    return [payload, { ...payload, stream: true }].flatMap((one) => [
      { url, payload: one },
      { url, payload: one, headers: { 'x-session-id': session } },
      withCalls({ url, payload: { ...one, tools: [{ type: 'function', function: zoom }] } }),
      withCalls({ url, payload: { ...one, messages: [result] }, headers: { 'x-session-id': sessionId } }),
    ]);
  },
  'POST /v1/responses': async ({ openSession, sendMessage, handedCall }) => {
    const session = await openSession();
    await sendMessage(session, `say: ${canary}`, 'last');
    const previous_response_id = responseId(session, 'last');
    const own = [{}, { previous_response_id }, { conversation: session, stream: true }].map((more) => ({
      url: '/v1/responses',
      payload: { input: 'say: fine', ...more },
    }));
    const { sessionId, callId } = await handedCall();
    const result = { type: 'function_call_output', call_id: callId, output: 'zoomed' };
    return [
      ...own,
      withCalls({ url: '/v1/responses', payload: { input: 'say: fine', tools: [{ type: 'function', ...zoom }] } }),
      withCalls({ url: '/v1/responses', payload: { input: [result], conversation: sessionId } }),
    ];
  },
  'GET /v1/responses/:responseId': async ({ session }) => [
    { url: `/v1/responses/${responseId(session, 'first')}` },
    { url: `/v1/responses/${responseId(session, 'first')}?stream=true` },
  ],
  'POST /v1/responses/:responseId/cancel': async ({ session, liveRun }) => {
    const { sessionId, end } = await liveRun();
    return [
      { url: `/v1/responses/${responseId(session, 'first')}/cancel`, payload: {} },
      { url: `/v1/responses/${responseId(sessionId, 'live')}/cancel`, payload: {}, afterwards: end },
    ];
  },
  'POST /v1/conversations': async () => [{ url: '/v1/conversations', payload: {} }],
  'GET /v1/conversations/:conversationId': async ({ session }) => [{ url: `/v1/conversations/${session}` }],
  'GET /v1/conversations/:conversationId/items': async ({ session }) => [{ url: `/v1/conversations/${session}/items` }],
  'DELETE /v1/conversations/:conversationId': async ({ openSession }) => [
    { url: `/v1/conversations/${await openSession()}` },
  ],
  'POST /api/chat': async ({ session, waitingCall }) => {
    const { sessionId, runId, toolCallId } = await waitingCall();
    const approval = { id: `${runId}/${toolCallId}`, approved: true };
    const responded = { role: 'assistant', parts: [{ type: 'dynamic-tool', state: 'approval-responded', approval }] };
    return [
      { url: '/api/chat', payload: chat(session) },
      { url: '/api/chat', payload: chat(session, { trigger: 'regenerate-message' }) },
      withCalls({ url: '/api/chat', payload: { id: sessionId, messages: [responded] } }),
    ];
  },
  'GET /api/chat/:id/stream': async ({ liveRun }) => {
    const { sessionId, end } = await liveRun();
    return [{ url: `/api/chat/${sessionId}/stream`, afterwards: end }];
  },
  'POST /ag-ui': async ({ session, waitingCall, handedCall, liveRun }) => {
    const handed = await handedCall();
    const result = { role: 'tool', toolCallId: handed.callId, content: 'zoomed' };
    const waiting = await waitingCall();
    const live = await liveRun();
    const interruptId = `${waiting.runId}/0/${waiting.toolCallId}`;
    const resume = [{ interruptId, status: 'resolved', payload: { decision: 'allow' } }];
    return [
      agUi(session, 'new-run'),
      agUi(session, 'first'),
      { ...agUi(live.sessionId, 'live'), afterwards: live.end },
      withCalls(agUi(waiting.sessionId, 'resuming', { messages: [], resume })),
      withCalls(agUi(session, 'declaring', { tools: [zoom] })),
      withCalls(agUi(handed.sessionId, 'answering', { messages: [result] })),
    ];
  },
  'POST /a2a': async ({ session, runId, waitingCall, liveRun }) => {
    const decided = async (): Promise<[object[], object]> => {
      const call = await waitingCall();
      const parts = [{ data: { toolCallId: call.toolCallId, decision: 'allow' } }];
      return [parts, { taskId: call.runId, contextId: call.sessionId }];
    };
    const text = [{ text: 'say: fine' }];
    const [followed, cancelled] = [await liveRun(), await liveRun()];
    return [
      rpc('/a2a', 'SendMessage', a2a('m1', text)),
      rpc('/a2a', 'SendMessage', a2a('m2', text, { contextId: session })),
      withCalls(rpc('/a2a', 'SendMessage', a2a('m3', ...(await decided())))),
      rpc('/a2a', 'SendStreamingMessage', a2a('m4', text, { contextId: session })),
      withCalls(rpc('/a2a', 'SendStreamingMessage', a2a('m5', ...(await decided())))),
      rpc('/a2a', 'GetTask', { id: runId }),
      rpc('/a2a', 'SubscribeToTask', { id: followed.runId }, followed.end),
      rpc('/a2a', 'CancelTask', { id: runId }),
      rpc('/a2a', 'CancelTask', { id: cancelled.runId }, cancelled.end),
    ];
  },
  'POST /mcp': async ({ session, memoryId }) => [
    rpc('/mcp', 'initialize', { protocolVersion: '2025-11-25' }),
    rpc('/mcp', 'tools/list', {}),
    rpc('/mcp', 'tools/call', { name: 'ask', arguments: { message: 'say: fine', session } }),
    withCalls(rpc('/mcp', 'tools/call', { name: 'remember', arguments: { content: 'tea' } })),
    withCalls(rpc('/mcp', 'tools/call', { name: 'recall', arguments: {} })),
    rpc('/mcp', 'resources/list', {}),
    rpc('/mcp', 'resources/templates/list', {}),
    rpc('/mcp', 'resources/read', { uri: `memory:${memoryId}` }),
  ],
  'GET /mcp': async ({ runId }) => [{ url: '/mcp', headers: { 'last-event-id': mcpEvent(runId) } }],
  'DELETE /mcp': async () => [{ url: '/mcp' }],

  'GET /sessions/:sessionId/feedback': async ({ session }) => [{ url: `/sessions/${session}/feedback` }],
  'PUT /sessions/:sessionId/feedback/:messageId': async ({ session }) => [
    { url: `/sessions/${session}/feedback/second`, payload: { rating: 'up' } },
  ],
  'DELETE /sessions/:sessionId/feedback/:messageId': async ({ session }) => [
    { url: `/sessions/${session}/feedback/first` },
  ],
  'GET /memories': async () => [{ url: '/memories' }],
  'POST /memories': async () => [{ url: '/memories', payload: { content: 'tea' } }],
  'DELETE /memories/:id': async ({ memoryId }) => [{ url: `/memories/${memoryId}` }],
  'GET /user-preferences': async () => [{ url: '/user-preferences' }],
  'POST /attachments': async ({ session }) => [
    {
      url: `/attachments?sessionId=${session}&filename=tea.txt`,
      payload: 'tea',
      headers: { 'content-type': 'text/plain' },
    },
  ],
  'GET /attachments': async () => [{ url: '/attachments' }],
  'GET /attachments/:attachmentId': async ({ attachmentId }) => [{ url: `/attachments/${attachmentId}` }],
  'DELETE /attachments/:attachmentId': async ({ attachmentId }) => [{ url: `/attachments/${attachmentId}` }],
};
