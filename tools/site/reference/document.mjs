import { cell, code, page } from './markdown-text.mjs';
import { limitsOf, nameOf, shapeOf } from './shape.mjs';

/**
 * @typedef {import('./shape.mjs').Schema} Schema
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema?: Schema }} Parameter
 * @typedef {{ description?: string, required?: boolean, content?: Record<string, { schema?: Schema }> }} Body
 * @typedef {{ summary?: string, description?: string, tags?: string[], deprecated?: boolean, parameters?: Parameter[], requestBody?: Body,
 *   responses?: Record<string, Body> }} Operation
 * @typedef {{ info: { title: string, description?: string, version: string }, tags?: { name: string, description?: string }[],
 *   paths: Record<string, Record<string, Operation>>, components?: { schemas?: Record<string, Schema> } }} Document - OpenAPI 3.1
 * @typedef {{ method: string, path: string, operation: Operation }} Route
 */

/**
 * An OpenAPI document as pages: one for each tag, and one that lists them.
 * @param {string} name - of the service
 * @param {Document} document
 * @returns {Map<string, string>} Markdown by the name of the file
 */
export function documentPages(name, document) {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = byTag(routes);
  const words = new Map((document.tags ?? []).map((tag) => [tag.name, tag.description ?? '']));
  const pages = [...groups].map(
    ([tag, own]) => /** @type {const} */ ([`${tag}.md`, tagPage(tag, words.get(tag) ?? '', own, document)]),
  );
  const rows = [...groups].map(
    ([tag, own]) => `| [${tag}](./${tag}.md) | ${own.length} | ${cell(words.get(tag) ?? '')} |`,
  );
  const index = [
    `# Routes of ${name}`,
    `${document.info.description ?? document.info.title} Version ${document.info.version}, as the service describes itself at \`/docs/json\`: [openapi.json](./openapi.json){target="_self"}.`,
    ['| Group | Routes | What |', '|---|---|---|', ...rows].join('\n'),
  ];
  return new Map([['index.md', page(index)], ...pages]);
}

/**
 * @param {string} tag
 * @param {string} words
 * @param {readonly Route[]} routes
 * @param {Document} document
 */
function tagPage(tag, words, routes, document) {
  const schemas = document.components?.schemas ?? {};
  const errors = routes.flatMap(({ operation }) =>
    Object.entries(operation.responses ?? {}).filter(([status]) => !/^[123]/.test(status)),
  );
  const errorShapes = [...new Set(errors.map(([, body]) => bodyShape(body)).filter((shape) => shape !== ''))];
  const shapes = namedIn(routes, schemas).map((name) => {
    const schema = schemas[name] ?? {};
    return `### ${name}\n\n${schema.description ?? ''}\n\n${code(shapeOf(schema))}`;
  });
  return page([
    `# ${tag}`,
    words,
    ...routes.map(routePart),
    ...(errorShapes.length === 0 ? [] : ['## Errors', ...errorShapes.map(code)]),
    ...(shapes.length === 0 ? [] : ['## Shapes', ...shapes]),
  ]);
}

/** @param {Route} route */
function routePart({ method, path, operation }) {
  const { summary = '', description = '', parameters = [], requestBody, responses = {}, deprecated } = operation;
  const good = Object.entries(responses).filter(([status]) => /^[123]/.test(status));
  const statuses = Object.entries(responses).map(([status, body]) => `| ${status} | ${cell(body.description ?? '')} |`);
  return page([
    `## ${method} ${path.replaceAll('{', '\\{').replaceAll('}', '\\}')}`,
    deprecated ? '*Deprecated.*' : '',
    summary,
    description === summary ? '' : description,
    parameters.length === 0
      ? ''
      : ['| Parameter | In | Is | What |', '|---|---|---|---|', ...parameters.map(parameterRow)].join('\n'),
    requestBody === undefined
      ? ''
      : `Body${requestBody.required ? '' : ' (may be left out)'}:\n\n${code(bodyShape(requestBody))}`,
    ...good.map(([status, body]) => (bodyShape(body) === '' ? '' : `Answer ${status}:\n\n${code(bodyShape(body))}`)),
    ['| Status | What |', '|---|---|', ...statuses].join('\n'),
  ]);
}

/** @param {Parameter} parameter */
function parameterRow({ name, in: place, required, description = '', schema = {} }) {
  const limits = limitsOf(schema);
  const words = [required ? 'Required.' : '', description, limits && `(${limits})`].filter(Boolean).join(' ');
  return `| \`${name}\` | ${place} | ${cell(shapeOf(schema))} | ${cell(words)} |`;
}

/**
 * @param {Body} body
 * @returns {string} empty without one
 */
function bodyShape({ content = {} }) {
  const shapes = Object.entries(content).map(([type, { schema }]) => {
    const shape = schema === undefined ? 'string' : shapeOf(schema);
    return type === 'application/json' ? shape : `// ${type}\n${shape}`;
  });
  return shapes.join('\n\n');
}

/**
 * The named schemas that something refers to, and those which they refer to in turn.
 * @param {unknown} value
 * @param {Record<string, Schema>} schemas
 * @returns {string[]} sorted
 */
function namedIn(value, schemas) {
  /** @type {Set<string>} */
  const found = new Set();
  const look = (/** @type {unknown} */ part) => {
    for (const [, reference = ''] of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = nameOf(reference);
      if (found.has(name)) continue;
      found.add(name);
      look(schemas[name] ?? {});
    }
  };
  look(value);
  return [...found].sort();
}

/**
 * @param {readonly Route[]} routes
 * @returns {Map<string, Route[]>} by the first tag
 */
function byTag(routes) {
  /** @type {Map<string, Route[]>} */
  const groups = new Map();
  for (const route of routes) {
    const tag = route.operation.tags?.[0] ?? 'others';
    groups.set(tag, [...(groups.get(tag) ?? []), route]);
  }
  return groups;
}
