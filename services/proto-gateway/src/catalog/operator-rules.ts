import { readFileSync } from 'node:fs';
import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import type { BoundMethod } from '@mlango/transcoder/http-rules';
import type { UnescapeMode } from '@mlango/transcoder/percent-decoding';
import { overrideRules, readServiceRules, type ServiceRuleProblem } from '@mlango/transcoder/service-rules';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

/** A `google.api.Service`, and a formatter for its problems. */
export interface HttpRules {
  readonly config: unknown;
  readonly describe: (problem: ServiceRuleProblem) => string;
}

/** Invalid rules of a `google.api.Service`. The message names every one. */
export class HttpRulesError extends Error {
  override readonly name = 'HttpRulesError';
}

/**
 * Annotation rules overridden by the operator's, the set of the latter, and the operator's setting for escapes.
 *
 * @param onProblem called for each rule that is left out; omitted: problems throw
 * @throws {HttpRulesError}
 */
export function withHttpRules(
  registry: FileRegistry,
  methods: readonly BoundMethod[],
  httpRules: HttpRules | undefined,
  onProblem: ((problem: string) => void) | undefined,
): {
  readonly rules: readonly BoundMethod[];
  readonly own: ReadonlySet<DescMethod>;
  readonly mode: UnescapeMode | undefined;
} {
  if (httpRules === undefined) return { rules: methods, own: new Set(), mode: undefined };
  const services = new Map(methods.map(({ rpc }) => [rpc.parent.typeName, rpc.parent]));
  const find = (name: string) => services.get(name) ?? registry.getService(name);
  const { rules, unescape: mode, problems } = readServiceRules(httpRules.config, find);
  const texts = problems.map(httpRules.describe);
  if (texts.length > 0 && onProblem === undefined) throw new HttpRulesError(texts.join('; '));
  for (const problem of texts) onProblem?.(problem);
  return { rules: overrideRules(methods, rules), own: new Set(rules.map(({ rpc }) => rpc)), mode };
}

/** A `google.api.Service` in YAML. */
export interface RulesFile {
  readonly config: unknown;
  /** A problem with its file and line: `rules.yaml:7: there is no method a.B.C`. */
  readonly describe: (problem: ServiceRuleProblem) => string;
}

/** For a line at which a file cannot be read as YAML. */
export const INVALID_YAML =
  'is not YAML from here: look at the indentation, the brackets and the quotes of this line and the one before';

/** Above the size of the rules of any API, and small enough to be read at once. */
const LIMIT_CHARACTERS = 4 * 1024 * 1024;

/** @throws {Error} for an unreadable file or invalid YAML, with its line */
export function readRulesFile(file: string): RulesFile {
  const text = readText(file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number, words: string) => `${file}:${lines.linePos(offset).line}: ${words}`;
  const [error] = document.errors;
  if (error !== undefined) throw new Error(at(error.pos[0], INVALID_YAML));
  return {
    config: document.toJS({ maxAliasCount: 100 }),
    describe({ path, problem }) {
      // A missing value has no line: use that of its nearest ancestor.
      for (let length = path.length; length > 0; length -= 1) {
        const around = document.getIn(path.slice(0, length - 1), true);
        const last = path[length - 1];
        const key = isMap(around)
          ? around.items.find((pair) => isScalar(pair.key) && pair.key.value === last)?.key
          : undefined;
        const node = key ?? document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return at(node.range[0], problem);
      }
      return `${file}: ${problem}`;
    },
  };
}

function readText(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${systemReason(systemCode(error) ?? 'unknown error')}`, { cause: error });
  }
  if (text.length > LIMIT_CHARACTERS) throw new Error(`${file} is longer than ${LIMIT_CHARACTERS} characters`);
  return text;
}
