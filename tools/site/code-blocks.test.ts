import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { PUBLISHED } from '../checks/packing.mjs';
import { projectFiles, repositoryRoot } from '../checks/project-files.mjs';
import { pageOf } from './pages.mjs';

const BLOCK = /^( *)```(\w*).*\n([\s\S]*?)^\1```$/gm;
/** A line that marks omitted lines; the lines above and below it are checked separately. */
const OMITTED = /^ *…\n/m;
const CODE = new Set(['js', 'mjs', 'ts', 'tsx']);

/** Exported names by entry point of a published package. */
type EntryPoints = ReadonlyMap<string, ReadonlySet<string>>;

function publishedEntryPoints(): EntryPoints {
  const types = new Map(
    PUBLISHED.flatMap((folder) => {
      const { name, exports } = JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
        name: string;
        exports: Readonly<Record<string, { types?: string }>>;
      };
      return Object.entries(exports).flatMap(([path, entry]) =>
        entry.types === undefined ? [] : [[join(name, path), join(repositoryRoot, folder, entry.types)] as const],
      );
    }),
  );
  const program = ts.createProgram([...types.values()], {
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const namesIn = (file: string) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    return new Set(symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name));
  };
  return new Map([...types].map(([name, file]) => [name, namesIn(file)]));
}

function problemsIn(language: string, text: string, entryPoints: EntryPoints): string[] {
  // One value, or one value per line.
  if (language === 'json') return isJson(text) || text.trim().split('\n').every(isJson) ? [] : ['is no JSON'];
  if (language === 'yaml') return parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message));
  if (language === 'sh') {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    return status === 0 ? [] : [stderr.trim()];
  }
  if (!CODE.has(language)) return [];
  const file = language === 'tsx' ? 'block.tsx' : 'block.ts';
  // A block that is indented as a whole is a part of an object or a list.
  const readings = /^\s/.test(text) ? [`({${text}})`, `[${text}]`] : [text];
  const errors = readings.map((reading) => syntaxErrors(reading, file));
  return [
    ...(errors.some((one) => one.length === 0) ? [] : (errors[0] ?? [])),
    ...wrongImports(text, file, entryPoints),
  ];
}

function syntaxErrors(text: string, fileName: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function wrongImports(text: string, file: string, entryPoints: EntryPoints): string[] {
  const packageOf = (specifier: string) => specifier.split('/', 2).join('/');
  const packages = new Set([...entryPoints.keys()].map(packageOf));
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const specifier = statement.moduleSpecifier.text;
    if (!packages.has(packageOf(specifier)) || specifier.endsWith('.css')) return [];
    const names = entryPoints.get(specifier);
    if (names === undefined) return [`${specifier} is no entry point`];
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
    const imported = bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
    return imported.filter((name) => !names.has(name)).map((name) => `${specifier} has no ${name}`);
  });
}

describe('code blocks', () => {
  let entryPoints: EntryPoints;
  beforeAll(() => {
    entryPoints = publishedEntryPoints();
  });

  it.each(projectFiles().filter((file) => pageOf(file) !== undefined))(
    'of %s parse and import existing names',
    (page) => {
      const blocks = [...readFileSync(join(repositoryRoot, page), 'utf8').matchAll(BLOCK)];
      const problems = blocks.flatMap(([, indent = '', language = '', text = '']) =>
        text
          .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
          .split(OMITTED)
          .flatMap((piece) => problemsIn(language, piece, entryPoints).map((problem) => `${problem}:\n${piece}`)),
      );
      expect(problems).toEqual([]);
    },
  );

  it.each([
    ['json', '{a: 1}'],
    ['yaml', 'a: [1'],
    ['sh', 'if true; then ls'],
    ['ts', 'const = 1;'],
    ['ts', '  one: ,'],
    ['tsx', 'const page = <Page>;'],
    ['ts', "import { md5 } from '@mlango/crypto/hashing';"],
    ['ts', "import { x } from '@mlango/crypto/rings';"],
  ])('are refused: %s %s', (language, text) => expect(problemsIn(language, text, entryPoints)).not.toEqual([]));
});
