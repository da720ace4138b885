/**
 * A JSON Schema, as far as OpenAPI 3.1 documents of ours use it.
 * @typedef {{ $ref?: string, type?: string | string[], description?: string, format?: string, pattern?: string, enum?: unknown[], const?: unknown,
 *   properties?: Record<string, Schema>, required?: string[], additionalProperties?: boolean | Schema, items?: Schema,
 *   anyOf?: Schema[], oneOf?: Schema[], allOf?: Schema[], minimum?: number, maximum?: number, minLength?: number,
 *   maxLength?: number, default?: unknown }} Schema
 */

const LONGEST_PATTERN = 40;

/**
 * A schema in the words of TypeScript, which nearly everybody reads.
 * @param {Schema} schema
 * @param {string} [indent] - of the line that it begins in
 * @returns {string} one or several lines; a named schema by its name
 */
export function shapeOf(schema, indent = '') {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts !== undefined) {
    const shapes = parts.map((part) => shapeOf(part, indent));
    return [...new Set(shapes)].join(schema.allOf === parts ? ' & ' : ' | ');
  }
  const types = [schema.type ?? (schema.properties === undefined ? 'unknown' : 'object')].flat();
  return types.map((type) => ofType(type, schema, indent)).join(' | ');
}

/** @param {string} reference - such as `#/components/schemas/Coin` */
export function nameOf(reference) {
  return reference.replace(/^.*\//, '');
}

/**
 * @param {string} type
 * @param {Schema} schema
 * @param {string} indent
 * @returns {string}
 */
function ofType(type, schema, indent) {
  if (type === 'object') return objectShape(schema, indent);
  if (type !== 'array') return type;
  const item = shapeOf(schema.items ?? {}, indent);
  return /[ |&]/.test(item) && !/^\{[^|&]*\}$/s.test(item) ? `(${item})[]` : `${item}[]`;
}

/**
 * @param {Schema} schema
 * @param {string} indent
 * @returns {string}
 */
function objectShape({ properties = {}, required = [], additionalProperties }, indent) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const line = `${inner}${key}${required.includes(name) ? '' : '?'}: ${shapeOf(property, inner)};`;
    const words = [property.description, limitsOf(property)].filter(Boolean).join(' · ');
    return words === '' ? [line] : [`${inner}// ${words.replace(/\s+/g, ' ')}`, line];
  });
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    lines.push(`${inner}[name: string]: ${shapeOf(additionalProperties, inner)};`);
  }
  return lines.length === 0 ? 'object' : `{\n${lines.join('\n')}\n${indent}}`;
}

/**
 * What a value may be beyond its type, in a few words.
 * @param {Schema} schema
 * @returns {string}
 */
export function limitsOf({ format, pattern, minimum, maximum, minLength, maxLength, default: standard }) {
  const words = [
    format,
    format === undefined && pattern !== undefined && pattern.length <= LONGEST_PATTERN && `like ${pattern}`,
    isBound(minimum) && `at least ${minimum}`,
    isBound(maximum) && `at most ${maximum}`,
    isBound(minLength) && `${minLength} or more characters`,
    isBound(maxLength) && `${maxLength} characters at most`,
    standard !== undefined && `${JSON.stringify(standard)} unless given`,
  ];
  return words.filter(Boolean).join(', ');
}

/**
 * The largest safe integers are no limit that anybody chose.
 * @param {number | undefined} value
 */
function isBound(value) {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}
