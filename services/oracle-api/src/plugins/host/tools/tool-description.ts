import { isObject } from '@mlango/service-kit/parse-json';
import type { ModelTool } from '../../../models/language-model.js';
import type { JsonSchema, ToolSchema } from '../../../models/tool-schemas/tool-schema.js';
import type { PluginTool } from '../../api/plugin-tool.js';

interface DescribedTool {
  readonly owner: string;
  readonly tool: PluginTool;
  readonly schema: ToolSchema;
}

/**
 * Returns the tool as the model receives it. Only the name and the shape of the parameters of a foreign tool are outside the
 * quotation.
 */
export function modelToolOf({ owner, tool, schema }: DescribedTool): ModelTool {
  const { name, description, theirWords } = tool;
  if (tool.isForeign !== true) {
    return { name, description, ...(theirWords === undefined ? {} : { theirWords }), schema: schema.json };
  }
  const shape = shapeOf(schema.json);
  const [original, shown] = [JSON.stringify(schema.json), JSON.stringify(shape)];
  return {
    name,
    description: `Of ${owner}; a third party has named and described it.`,
    theirWords: original === shown ? description : `${description}\nIts input, in their words: ${original}`,
    schema: shape,
  };
}

const depthLimit = 20;

/** Names and enum values that are too plain to carry an instruction. */
const plainName = /^[\w.:$@#/-]{1,64}$/;
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Reduces a JSON Schema to its shape, without descriptions, which are untrusted text. Pure. */
export function shapeOf(schema: JsonSchema): JsonSchema {
  return shape(schema, 0);
}

type Part = (value: unknown, depth: number) => unknown;

/** Reduces each keyword to its shape; undefined removes the keyword. */
const keywordShapes: Readonly<Record<string, Part>> = {
  type: (value) => (list(value).every((one) => types.has(String(one))) ? value : undefined),
  properties: named,
  $defs: named,
  definitions: named,
  $ref: plain,
  const: plain,
  enum: (value) => (Array.isArray(value) && value.every((one) => plain(one) !== undefined) ? value : undefined),
  required: (value) => list(value).filter((name) => typeof name === 'string' && plainName.test(name)),
  items: schemaOrFlag,
  additionalProperties: schemaOrFlag,
  prefixItems: schemas,
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  ...Object.fromEntries(
    [
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
    ].map((word) => [word, number]),
  ),
};

function shape(value: unknown, depth: number): JsonSchema {
  if (!isObject(value) || depth > depthLimit) return {};
  const parts = Object.entries(value).map(([word, part]) => [
    word,
    Object.hasOwn(keywordShapes, word) ? keywordShapes[word]?.(part, depth + 1) : undefined,
  ]);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

/** Here the keys are names, of fields or of definitions. */
function named(value: unknown, depth: number): unknown {
  if (!isObject(value)) return undefined;
  const fields = Object.entries(value).filter(([name]) => plainName.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, shape(field, depth)]));
}

function schemaOrFlag(value: unknown, depth: number): unknown {
  return typeof value === 'boolean' ? value : shape(value, depth);
}

function schemas(value: unknown, depth: number): unknown {
  return list(value).map((one) => shape(one, depth));
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainName.test(value) ? value : undefined;
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined;
}

function number(value: unknown): unknown {
  return typeof value === 'number' ? value : undefined;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
