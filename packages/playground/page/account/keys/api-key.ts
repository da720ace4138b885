import type { ApiKeyScope } from '@mlango/schemas/oracle-api-keys';

/** A key as it is listed: without what opens. Times are ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** To the hour. */
  readonly lastUsedAt?: string;
}

export interface MadeApiKey extends ApiKey {
  /** Shown now and never again. */
  readonly key: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresInDays: number;
}

/** What a key may be for, in words. */
export const scopeWords = {
  read: 'Read conversations, memories, preferences and credits',
  send: 'Begin conversations, send messages, keep memories',
  tools: 'Have tools called, and settle approvals',
  doors: 'Come by clients of OpenAI, MCP and others',
} as const satisfies Record<ApiKeyScope, string>;

export const scopes = Object.keys(scopeWords) as ApiKeyScope[];
