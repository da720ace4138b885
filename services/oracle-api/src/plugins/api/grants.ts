import type { z } from 'zod';
import type { JsonSchema } from '../../models/tool-schemas/tool-schema.js';
import type { StoredPreferences } from '../../store/preferences.js';
import type { UserPreferences } from '../../store/schema.js';
import type { StoredMessage, StoredSession } from '../../store/sessions.js';

/** A request for an object from the model of the turn. */
export interface ObjectRequest<Schema extends z.ZodObject | JsonSchema = z.ZodObject | JsonSchema> {
  /** Schema of the object. The model receives it as JSON Schema: descriptions help. */
  readonly schema: Schema;
  /** The plugin's instruction to the model. At most 32,000 characters. */
  readonly prompt: string;
  /** Untrusted text that the prompt is about. The model receives it as a quotation, without instructions. */
  readonly material?: { readonly source: string; readonly text: string };
  /** Aborts the request. The end of the turn aborts it too. */
  readonly signal?: AbortSignal;
}

export type ObjectOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, unknown>;

/** Structured output from the model of the current turn. */
export interface ObjectModel {
  /**
   * Requests an object that fits the schema, without tools and without the conversation. An answer that does not fit is
   * repaired once. The tokens count as tokens of the turn. At most 10 requests per plugin and turn.
   * @throws ToolError with a text for the user if the model returns no valid object.
   * @throws PluginError for an invalid request: too long, too many, after the turn, in `getSharedState`.
   */
  object<Schema extends z.ZodObject | JsonSchema>(request: ObjectRequest<Schema>): Promise<ObjectOf<Schema>>;
}

/**
 * Access to the data of one user: by `rtCtx.user` during the user's turn, or by the request of an authenticated caller.
 * Users cannot be addressed by id, so a plugin reaches only the users that it serves.
 * @throws PluginError for any other value.
 */
export interface OfUser<Theirs> {
  of(whom: object): Theirs;
}

/**
 * Preferences of a user. In a turn of a session with a Matrix room: the preferences of the room, completed by the
 * user's own.
 */
export interface OwnPreferences {
  find(): Promise<StoredPreferences | undefined>;
  /** Sets the fields of `changes` and leaves the others unchanged. */
  merge(changes: UserPreferences, at: Date): Promise<StoredPreferences>;
  /** Replaces the user's own record (never the record of a room). Fields absent from `record` are deleted. */
  replace(record: UserPreferences, at: Date): Promise<StoredPreferences>;
}

export interface OwnSessions {
  find(sessionId: string): Promise<StoredSession | undefined>;
  /** Newest activity first, 100 at most. */
  list(page: {
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ sessions: StoredSession[]; total: number }>;
  /** One message of a session; undefined if the session belongs to another user or has no such message. */
  message(sessionId: string, messageId: string): Promise<StoredMessage | undefined>;
  /** The newest messages of a session, oldest first, 100 at most; empty for a session of another user. */
  messages(sessionId: string, limit: number): Promise<StoredMessage[]>;
}

export interface OwnCharges {
  /**
   * Charges the user for costs of the turn other than its model: 1 to 1,000,000 tokens, reported to all usage meters.
   * Each call counts, except repeated calls with the same key in a turn: with the `idempotencyKey` of the tool context,
   * a retried call is charged once. Returns false if no plugin meters usage. Rejects if a meter cannot be notified.
   */
  charge(tokens: number, idempotencyKey?: string): Promise<boolean>;
}

/** Grants beyond a plugin's own data, by the name that its manifest requests. */
export interface Grants {
  /** Reads and writes the user's preferences for answers. */
  readonly 'preferences:write': OfUser<OwnPreferences>;
  /**
   * Reads the user's sessions and messages. Rows of the plugin's tables may reference sessions and are deleted with
   * them.
   */
  readonly 'sessions:read': OfUser<OwnSessions>;
  /** Charges the user of the current turn (`rtCtx.user` only). Credits cannot be added. */
  readonly 'credits:charge': OfUser<OwnCharges>;
  /** Requests objects from the model of the current turn (`rtCtx.user` only); same as `rtCtx.model.object`. */
  readonly 'model:object': OfUser<ObjectModel>;
}

export type Grant = keyof Grants;

/** All grants. */
export const grantNames = Object.keys({
  'preferences:write': true,
  'sessions:read': true,
  'credits:charge': true,
  'model:object': true,
} satisfies Record<Grant, true>) as Grant[];
