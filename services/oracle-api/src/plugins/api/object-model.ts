import type { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

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
