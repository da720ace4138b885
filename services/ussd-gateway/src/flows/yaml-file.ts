import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isAlias, isMap, isNode, LineCounter, type Node, type ParsedNode, parseDocument, visit } from 'yaml';
import type { z } from 'zod';

/** Reason why a file cannot be read, with the line, from 1. */
export class TextFileError extends Error {
  readonly line: number;

  constructor(description: string, line = 1) {
    super(description);
    this.name = 'TextFileError';
    this.line = line;
  }
}

/**
 * The text of a UTF-8 file, without its byte order mark.
 *
 * @throws {TextFileError} for a file that is missing, has another encoding, or cannot be read.
 */
export function readTextFile(path: string): string {
  const bytes = bytesOf(path);
  const text = decoded(bytes);
  if (text?.includes('\0') === false) return text;
  // No byte of a longer UTF-8 sequence is a line break, so each line can be decoded separately.
  const lines = bytes.toString('latin1').split('\n');
  const wrong = lines.findIndex((line) => decoded(Buffer.from(line, 'latin1'))?.includes('\0') !== false);
  throw new TextFileError('is not UTF-8: save the file as UTF-8 in your editor', Math.max(wrong, 0) + 1);
}

/** Names of the YAML files of a folder in order, and of files with a wrong ending that are not read. */
export function yamlFilesIn(folder: string): {
  readonly names: readonly string[];
  readonly misnamed: readonly string[];
} {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const isYaml = (name: string) => name.endsWith('.yaml');
  return { names: names.filter(isYaml), misnamed: names.filter((name) => !isYaml(name) && /\.ya?ml$/i.test(name)) };
}

/** Remedy for a file with a wrong name. */
export function renameTo(name: string): string {
  return `is not read: rename it to ${name.replace(/\.ya?ml$/i, '.yaml')}`;
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code !== 'ENOENT') throw new TextFileError(`cannot be read: ${error.message}`);
    const name = basename(path);
    const { misnamed } = yamlFilesIn(dirname(path));
    const other = misnamed.find((one) => one.replace(/\.ya?ml$/i, '.yaml').toLowerCase() === name);
    throw new TextFileError(other === undefined ? 'is missing' : `is missing: rename ${other} to ${name}`);
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A place in a file of a flow, with its problem. */
export interface FileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly description: string;
}

/** Files of a flow are small; a huge one is refused. */
const maxFileChars = 1_000_000;

/** A YAML file with scalars in their typed form (`00` is no number), and with the lines of its values. */
export class YamlFile<Value> {
  readonly file: string;
  /** Undefined if it cannot be read; `problems` has the reason. */
  readonly value: Value | undefined;
  readonly problems: readonly FileProblem[];
  readonly #lines = new LineCounter();
  readonly #root: Node | null;

  /** @param file its name, for problems. */
  constructor(file: string, text: string, shape: z.ZodType<Value>) {
    this.file = file;
    const document = parseDocument(text.slice(0, maxFileChars), {
      schema: 'failsafe',
      lineCounter: this.#lines,
      prettyErrors: false,
    });
    this.#root = document.contents;
    const broken = text.length > maxFileChars ? [`is longer than ${maxFileChars} characters`] : [];
    const syntax = document.errors.map(({ message, pos: [at] }) => this.#problem(at, message));
    visit(document, {
      Alias: (_, alias) => {
        if (alias.resolve(document) === undefined)
          syntax.push(this.#problem(alias.range?.[0] ?? 0, `there is no &${alias.source} before *${alias.source}`));
      },
    });
    if (broken.length > 0 || syntax.length > 0) {
      this.problems = [...broken.map((description) => this.#problem(0, description)), ...syntax];
      return;
    }
    let read: z.ZodSafeParseResult<Value>;
    try {
      read = shape.safeParse(document.toJS({ maxAliasCount: 1000 }));
    } catch {
      this.problems = [this.#problem(0, 'has aliases that come to too much')];
      return;
    }
    this.value = read.data;
    this.problems = (read.error?.issues ?? []).flatMap(issuesOf).map((issue) => {
      const path = issue.path.map(String);
      const [unknownKey] = issue.code === 'unrecognized_keys' ? issue.keys : [];
      const place = path.length === 0 ? '' : `${path.join('.')}: `;
      const line = this.lineOf(unknownKey === undefined ? path : [...path, unknownKey]);
      return { file, line, description: `${place}${descriptionOf(issue)}` };
    });
  }

  /** Line of a value, or of its parent if it is missing. */
  lineOf(path: readonly string[]): number {
    let offset = this.#root?.range?.[0] ?? 0;
    let node: unknown = this.#root;
    for (const name of path) {
      if (isAlias(node)) break;
      if (isMap<ParsedNode>(node)) {
        const pair = node.items.find(({ key }) => isNode(key) && String(key) === name);
        if (pair === undefined) break;
        offset = pair.key.range?.[0] ?? offset;
        node = pair.value;
      } else {
        node =
          isNode(node) && 'get' in node
            ? (node as { get(at: number, keep: true): unknown }).get(Number(name), true)
            : undefined;
        if (!isNode(node)) break;
        offset = node.range?.[0] ?? offset;
      }
    }
    return this.#lines.linePos(offset).line;
  }

  #problem(at: number, description: string): FileProblem {
    return { file: this.file, line: this.#lines.linePos(at).line, description };
  }
}

/** Expected form instead of the parsed one, in YAML terms. */
const wanted: Readonly<Record<string, string>> = {
  array: 'must be a list, each item after a -',
  object: 'must be a block of names and values',
  record: 'must be a block of names and values',
  string: 'must be a text',
};

/** For a value with several forms, the problems of the form in which it was written. */
function issuesOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue];
  const isOfThisForm = (form: readonly z.core.$ZodIssue[]) =>
    form.some(({ code, path }) => path.length > 0 || code !== 'invalid_type');
  const form = issue.errors.find(isOfThisForm) ?? issue.errors[0] ?? [];
  return form.map((one) => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(issuesOf);
}

function descriptionOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no "${issue.keys.join('", "')}" here`;
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  return issue.message.endsWith('received undefined') ? 'is missing' : (wanted[issue.expected] ?? issue.message);
}
