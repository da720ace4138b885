import { isAlias, isMap, isNode, LineCounter, type Node, type ParsedNode, parseDocument, visit } from 'yaml';
import type { z } from 'zod';

/** A place in a file of a flow, and what is wrong there. */
export interface FileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly says: string;
}

/** Files of a flow are small; nobody has to wait for one that is not. */
const maxFileChars = 1_000_000;

/** A YAML file whose scalars all stay as they are typed (`00` is no number), and whose values are found again by line. */
export class YamlFile<Value> {
  readonly file: string;
  /** Undefined if it cannot be read; `problems` then say why. */
  readonly value: Value | undefined;
  readonly problems: readonly FileProblem[];
  readonly #lines = new LineCounter();
  readonly #root: Node | null;

  /** @param file its name, for problems. */
  constructor(file: string, text: string, shape: z.ZodType<Value>) {
    this.file = file;
    const document = parseDocument(text.slice(0, maxFileChars), {
      ...{ schema: 'failsafe', lineCounter: this.#lines, prettyErrors: false },
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
      this.problems = [...broken.map((says) => this.#problem(0, says)), ...syntax];
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
      const [stranger] = issue.code === 'unrecognized_keys' ? issue.keys : [];
      const place = path.length === 0 ? '' : `${path.join('.')}: `;
      const line = this.lineOf(stranger === undefined ? path : [...path, stranger]);
      return { file, line, says: `${place}${saidOf(issue)}` };
    });
  }

  /** The line of a value, or of what it would be in. */
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

  #problem(at: number, says: string): FileProblem {
    return { file: this.file, line: this.#lines.linePos(at).line, says };
  }
}

/** What there has to be instead of what YAML gave, in words of who writes YAML. */
const wanted: Readonly<Record<string, string>> = {
  array: 'must be a list, each item after a -',
  object: 'must be a block of names and values',
  record: 'must be a block of names and values',
  string: 'must be a text',
};

/** Of a value that can have several forms, what is wrong with the one that it was written in. */
function issuesOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue];
  const isOfThisForm = (form: readonly z.core.$ZodIssue[]) =>
    form.some(({ code, path }) => path.length > 0 || code !== 'invalid_type');
  const form = issue.errors.find(isOfThisForm) ?? issue.errors[0] ?? [];
  return form.map((one) => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(issuesOf);
}

function saidOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no "${issue.keys.join('", "')}" here`;
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  return issue.message.endsWith('received undefined') ? 'is missing' : (wanted[issue.expected] ?? issue.message);
}
