import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** The used part of the YAML language server. */
interface LanguageServer {
  getLanguageService(context: object): {
    configure(settings: object): void;
    doValidation(
      document: object,
      isKubernetes: boolean,
    ): Promise<readonly { readonly range: { readonly start: { readonly line: number } }; readonly message: string }[]>;
  };
}
const require = createRequire(import.meta.url);
const server = require('yaml-language-server') as LanguageServer;
/** The server includes the package of the documents that it reads. */
const { TextDocument } = createRequire(require.resolve('yaml-language-server'))(
  'vscode-languageserver-textdocument',
) as { TextDocument: { create(uri: string, language: string, version: number, text: string): object } };

/**
 * JSON Schema of a YAML file for editors. The service reads every scalar as text, but an editor reads `version: 2` as a
 * number: a value marked so in its `meta` is a number or a boolean in the schema.
 */
export function publishedSchema(shape: z.ZodType): string {
  const schema = z.toJSONSchema(shape, { io: 'input', reused: 'ref', target: 'draft-7' });
  return `${JSON.stringify(schema, withoutText, 2)}\n`;
}

/** Omits text constraints of a value that an editor does not read as text. */
function withoutText(_name: string, value: unknown): unknown {
  const { type } = (value ?? {}) as Record<string, unknown>;
  if (type !== 'integer' && type !== 'boolean' && !Array.isArray(type)) return value;
  const { allOf: _allOf, enum: _enum, pattern: _pattern, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** The server caches each version of a document. */
let version = 0;

/** Problems found by a YAML language server in a file with its schema in the first line: line and message of each. */
export async function editorProblems(path: string, text = readFileSync(path, 'utf8')): Promise<string[]> {
  const service = server.getLanguageService({
    schemaRequestService: async (uri: string) => readFileSync(new URL(uri), 'utf8'),
    workspaceContext: { resolveRelativePath: (relative: string, base: string) => new URL(relative, base).href },
    telemetry: { send: () => {}, sendError: () => {}, sendTrack: () => {} },
  });
  service.configure({ validate: true, customTags: [], yamlVersion: '1.2', schemas: [] });
  const found = await service.doValidation(
    TextDocument.create(pathToFileURL(path).href, 'yaml', ++version, text),
    false,
  );
  return found.map(({ range, message }) => `${range.start.line + 1} ${message}`);
}
