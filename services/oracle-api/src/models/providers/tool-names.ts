import { jsonSchema, type ToolSet, tool } from 'ai';
import type { ModelTool } from '../language-model.js';
import { quoted } from '../untrusted-text.js';

const nameChars = 64;

/**
 * Tools of a request under names that every endpoint accepts: letters, digits, `_` and `-`, at most 64 of them. A tool with another
 * name gets a derived one.
 */
export class ToolNames {
  readonly #tools: readonly ModelTool[];
  readonly #outer = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(tools: readonly ModelTool[]) {
    this.#tools = tools;
    for (const { name } of tools) this.#take(name);
  }

  get isEmpty(): boolean {
    return this.#tools.length === 0;
  }

  /** Returns the name for the endpoint. Names of removed tools may still occur in a conversation. */
  outer(name: string): string {
    return this.#outer.get(name) ?? plain(name);
  }

  /** Returns the tool's own name. A name that the model made up is returned unchanged. */
  own(outer: string): string {
    return this.#own.get(outer) ?? outer;
  }

  sdkTools(): ToolSet {
    return Object.fromEntries(
      this.#tools.map(({ name, description, theirWords, schema }) => [
        this.outer(name),
        tool({
          description: theirWords === undefined ? description : `${description}\n${quoted('its maker', theirWords)}`,
          inputSchema: jsonSchema(objectSchema(schema)),
        }),
      ]),
    );
  }

  #take(name: string): void {
    const base = plain(name);
    let outer = base;
    for (let count = 2; this.#own.has(outer); count++) outer = `${base.slice(0, nameChars - 4)}_${count}`;
    this.#outer.set(name, outer);
    this.#own.set(outer, name);
  }
}

function plain(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, nameChars);
}

/** Endpoints refuse a schema without the type `object`, and some refuse `$schema`. */
function objectSchema(schema: ModelTool['schema']) {
  const { $schema: _, ...constraints } = schema;
  return { type: 'object' as const, properties: {}, ...constraints };
}
