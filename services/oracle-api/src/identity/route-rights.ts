import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';
import type { Caller } from '@mlango/ucan-auth/auth-outcome';

/** Which requests of a route have a content: none, some (the handler checks the scope), or all. */
type Presence = 'never' | 'sometimes' | 'always';

/** Contents that need their own scope on every route. */
export const contentScopes = {
  /** In a reply: anything that its own request did not produce, such as messages, answers, titles, memories, files. */
  earlier: 'read',
  /** In a request: client tools, results of their calls, decisions on pending calls. A turn without this right calls no tool. */
  calls: 'tools',
} as const satisfies Record<string, ApiKeyScope>;

export type Content = keyof typeof contentScopes;

interface RouteRight {
  /** Scopes that an API key needs for every request. */
  readonly access: readonly ApiKeyScope[];
  readonly earlier: Presence;
  /** Earlier content by the JSON-RPC methods of the route, where it has any; a method that is not listed has none. */
  readonly methods?: Readonly<Record<string, Presence>>;
  readonly calls?: Presence;
  /** Whether a holder of `oracle/converse` on the user's DID may call it for the user. */
  readonly isConversing?: boolean;
  /** Whether a reply may take as long as a turn: such requests of a user and of an address are bounded. */
  readonly isLong?: boolean;
}

const mcpMethods = {
  'tools/call': 'sometimes',
  'resources/list': 'always',
  'resources/templates/list': 'always',
  'resources/read': 'always',
} as const;

/** Methods of A2A. A message that continues a task answers with all of that task. */
const a2aMethods = {
  SendMessage: 'sometimes',
  SendStreamingMessage: 'sometimes',
  CancelTask: 'sometimes',
  GetTask: 'always',
  SubscribeToTask: 'always',
} as const;

/** Scopes of every route that accepts API keys; other routes refuse them. */
export const routeRights = {
  'POST /sessions': { access: ['send'], earlier: 'never' },
  'GET /sessions': { access: [], earlier: 'always', isConversing: true },
  'GET /sessions/search': { access: [], earlier: 'always' },
  'PATCH /sessions/:sessionId': { access: ['send'], earlier: 'always' },
  'DELETE /sessions/:sessionId': { access: ['send'], earlier: 'never' },
  'GET /sessions/:sessionId/messages': { access: [], earlier: 'always', isConversing: true },
  'GET /sessions/:sessionId/branches': { access: [], earlier: 'always', isConversing: true },
  'PUT /sessions/:sessionId/branch': { access: ['send'], earlier: 'always', isConversing: true },
  'GET /sessions/:sessionId/run': { access: [], earlier: 'always', isConversing: true },
  'POST /sessions/:sessionId/messages/:messageId/regenerate': {
    access: ['send'],
    earlier: 'sometimes',
    calls: 'sometimes',
    isConversing: true,
    isLong: true,
  },
  'GET /messages/:sessionId': { access: [], earlier: 'always', isConversing: true },
  'POST /messages/:sessionId': {
    access: ['send'],
    earlier: 'sometimes',
    calls: 'sometimes',
    isConversing: true,
    isLong: true,
  },
  'POST /messages/abort': { access: ['send'], earlier: 'never', isConversing: true },
  'GET /runs/:runId': { access: [], earlier: 'always', isConversing: true, isLong: true },
  'GET /approvals': { access: [], earlier: 'always' },
  'POST /runs/:runId/approvals/:toolCallId': { access: ['send'], earlier: 'never', calls: 'always' },

  'GET /v1/models': { access: ['doors', 'read'], earlier: 'never' },
  'GET /v1/models/:model': { access: ['doors', 'read'], earlier: 'never' },
  'POST /v1/chat/completions': { access: ['doors', 'send'], earlier: 'never', calls: 'sometimes', isLong: true },
  'POST /v1/responses': { access: ['doors', 'send'], earlier: 'never', calls: 'sometimes', isLong: true },
  'GET /v1/responses/:responseId': { access: ['doors'], earlier: 'always', isLong: true },
  'POST /v1/responses/:responseId/cancel': { access: ['doors', 'send'], earlier: 'sometimes' },
  'POST /v1/conversations': { access: ['doors', 'send'], earlier: 'never' },
  'GET /v1/conversations/:conversationId': { access: ['doors', 'read'], earlier: 'never' },
  'GET /v1/conversations/:conversationId/items': { access: ['doors'], earlier: 'always' },
  'DELETE /v1/conversations/:conversationId': { access: ['doors', 'send'], earlier: 'never' },
  'POST /api/chat': { access: ['doors', 'send'], earlier: 'sometimes', calls: 'sometimes', isLong: true },
  'GET /api/chat/:id/stream': { access: ['doors'], earlier: 'always', isLong: true },
  'POST /ag-ui': { access: ['doors', 'send'], earlier: 'sometimes', calls: 'sometimes', isLong: true },
  'POST /a2a': {
    access: ['doors', 'send'],
    earlier: 'sometimes',
    methods: a2aMethods,
    calls: 'sometimes',
    isConversing: true,
    isLong: true,
  },
  'POST /mcp': {
    access: ['doors', 'send'],
    earlier: 'sometimes',
    methods: mcpMethods,
    calls: 'sometimes',
    isConversing: true,
    isLong: true,
  },
  'GET /mcp': { access: ['doors'], earlier: 'always', isConversing: true, isLong: true },
  'DELETE /mcp': { access: ['doors', 'send'], earlier: 'never' },

  'GET /sessions/:sessionId/feedback': { access: [], earlier: 'always', isConversing: true },
  'PUT /sessions/:sessionId/feedback/:messageId': { access: ['send'], earlier: 'never', isConversing: true },
  'DELETE /sessions/:sessionId/feedback/:messageId': { access: ['send'], earlier: 'never', isConversing: true },
  'GET /memories': { access: [], earlier: 'always' },
  'POST /memories': { access: ['send'], earlier: 'never' },
  'DELETE /memories/:id': { access: ['send'], earlier: 'never' },
  'GET /user-preferences': { access: [], earlier: 'always' },
  'POST /attachments': { access: ['send'], earlier: 'never', isConversing: true },
  'GET /attachments': { access: ['read'], earlier: 'never', isConversing: true },
  'GET /attachments/:attachmentId': { access: [], earlier: 'always', isConversing: true },
  'DELETE /attachments/:attachmentId': { access: ['send'], earlier: 'never' },
  'GET /credits': { access: [], earlier: 'always' },
} as const satisfies Record<string, RouteRight>;

export type RouteName = keyof typeof routeRights;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scopes that an API key needs to call the route. Without them the route takes no API key. */
    readonly keyScopes?: readonly ApiKeyScope[];
    /** Whether a holder of `oracle/converse` on a user's DID may call it for that user. */
    readonly isConversing?: boolean;
    /** Set by `rightsOf` for routes of the table. */
    readonly right?: RouteRight;
  }
}

/** The `config` of a route of the table. */
export function rightsOf(name: RouteName) {
  const right: RouteRight = routeRights[name];
  const { access, isConversing = false } = right;
  const contents = (['earlier', 'calls'] as const).filter((content) => right[content] === 'always');
  const keyScopes = [...new Set([...access, ...contents.map((content) => contentScopes[content])])];
  return { keyScopes, isConversing, right };
}

/**
 * Whether the caller's invocation is signed by the user's own key, without proofs. Rights that outlive a token (API keys, approval
 * rules) require one, or a stolen delegation could create a right that its revocation does not end.
 */
export function isOwnSignature({ via, actor, path }: Pick<Caller, 'via' | 'actor' | 'path'>): boolean {
  return via === 'invocation' && actor === undefined && path.length === 1;
}
