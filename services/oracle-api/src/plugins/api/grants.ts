import type { z } from 'zod';
import type { JsonSchema } from '../../models/tool-schemas/tool-schema.js';
import type { StoredPreferences } from '../../store/preferences.js';
import type { UserPreferences } from '../../store/schema.js';
import type { StoredMessage, StoredSession } from '../../store/sessions.js';

/** What a plugin asks the model of the turn for. */
export interface ObjectRequest<Schema extends z.ZodObject | JsonSchema = z.ZodObject | JsonSchema> {
  /** Of the object. The model reads it as JSON Schema: descriptions help. */
  readonly schema: Schema;
  /** The question, in the plugin's own words. At most 32,000 characters. */
  readonly prompt: string;
  /** Text from outside that the question is about. The model reads it as a quotation, in which nothing is an instruction. */
  readonly material?: { readonly source: string; readonly text: string };
  /** Aborts the request, as the end of the turn does. */
  readonly signal?: AbortSignal;
}

export type ObjectOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, unknown>;

/** The model of a turn under way, for objects that a plugin needs. */
export interface ObjectModel {
  /**
   * An object that fits the schema, without tools and without the conversation. An answer that does not fit is repaired once. Its tokens count
   * as those of the turn. At most 10 requests of one plugin in one turn.
   * @throws ToolError with words for the user where the model gives no such object.
   * @throws PluginError for a request that is not possible: too long, too many, after the turn, in `getSharedState`.
   */
  object<Schema extends z.ZodObject | JsonSchema>(request: ObjectRequest<Schema>): Promise<ObjectOf<Schema>>;
}

/**
 * What is one user's. `whom` is `rtCtx.user` while their turn is under way, or the request of an authenticated caller: what stands
 * for a user in what plugins are given, so that none is reached by a name.
 * @throws PluginError for anything else.
 */
export interface OfUser<Theirs> {
  of(whom: object): Theirs;
}

/** In a turn of a session that has a Matrix room: those of the room, with the user's own for what it does not name. */
export interface OwnPreferences {
  find(): Promise<StoredPreferences | undefined>;
  /** Sets the fields that are given and leaves the others. */
  merge(changes: UserPreferences, at: Date): Promise<StoredPreferences>;
  /** Puts the user's own record, never a room's, in the place of what it was: what is not given is gone. */
  replace(record: UserPreferences, at: Date): Promise<StoredPreferences>;
}

export interface OwnSessions {
  find(sessionId: string): Promise<StoredSession | undefined>;
  /** Newest activity first, 100 at most. */
  list(page: {
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ sessions: StoredSession[]; total: number }>;
  /** One of a session; undefined where that is not theirs, or has no such message. */
  message(sessionId: string, messageId: string): Promise<StoredMessage | undefined>;
  /** The newest of a session, oldest of them first, 100 at most; none of a session that is not theirs. */
  messages(sessionId: string, limit: number): Promise<StoredMessage[]>;
}

export interface OwnCharges {
  /**
   * Has the user pay for what the turn took beside its model: 1 to 1,000,000 tokens, told to all that meter turns. Each call counts,
   * but of those with one key in a turn only the first: with the `idempotencyKey` of a tool's context, a call that is made again is
   * paid once. False where nobody meters. Rejects when one that does cannot be told.
   */
  charge(tokens: number, idempotencyKey?: string): Promise<boolean>;
}

/** What a plugin may be granted beside what is its own, by the name under which its manifest asks for it. */
export interface Grants {
  /** How the user wants to be talked to: to read, and to set. */
  readonly 'preferences:write': OfUser<OwnPreferences>;
  /** The user's sessions and messages; rows of the plugin's tables may belong to sessions too, and go with them. */
  readonly 'sessions:read': OfUser<OwnSessions>;
  /** Takes from the user of a turn under way, by `rtCtx.user` alone, and never gives. */
  readonly 'credits:charge': OfUser<OwnCharges>;
  /** Asks the model of a turn under way for objects, by `rtCtx.user` alone; `rtCtx.model.object` is the same. */
  readonly 'model:object': OfUser<ObjectModel>;
}

export type Grant = keyof Grants;

/** All there are. */
export const grantNames = Object.keys({
  'preferences:write': true,
  'sessions:read': true,
  'credits:charge': true,
  'model:object': true,
} satisfies Record<Grant, true>) as Grant[];
