import { decodeVariable, hasOnlyGoodEscapes, percentDecode, type UnescapeMode } from './percent-decoding.js';
import { ANY_METHOD, coversManySegments, type Template, type Variable } from './template.js';
import { newNode, type Rule, type RulesByMethod, rulesAt, search, type TrieNode } from './trie-node.js';

export type PathMatch<T> =
  | { readonly kind: 'found'; readonly target: T; readonly template: Template; readonly values: readonly string[] }
  | { readonly kind: 'other_method'; readonly methods: readonly string[] }
  | { readonly kind: 'bad_escape' }
  | { readonly kind: 'none' };

/**
 * Finds the most specific rule for a raw path, independent of insertion order: a literal beats `*`, `*` beats `**`, a longer
 * tail after `**` beats a shorter one, and a rule with the path's verb beats one without. Only `**` matches empty segments.
 */
export class PathTrie<T> {
  readonly #root: TrieNode<T> = newNode();
  /** Rules without variables and verbs by their path: such a rule is always the most specific one. */
  readonly #plain = new Map<string, RulesByMethod<T>>();
  /** The longest first. */
  #verbs: readonly string[] = [];
  readonly #mode: UnescapeMode;

  constructor(mode: UnescapeMode = 'all_except_reserved') {
    this.#mode = mode;
  }

  /** Adds a rule. Returns the existing target of the same method and shape, if any, and then changes nothing. */
  insert(method: string, template: Template, target: T): T | undefined {
    const rules = rulesAt(this.#root, template);
    const taken = rules.get(method);
    if (taken !== undefined) return taken.target;
    rules.set(method, { template, target });
    const path = plainPath(template);
    if (path !== undefined) this.#plain.set(path, rules);
    const { verb } = template;
    if (verb !== '' && !this.#verbs.includes(verb)) {
      this.#verbs = [...this.#verbs, verb].sort((a, b) => b.length - a.length);
    }
    return undefined;
  }

  /** @param path the path as it was sent, without the query */
  match(method: string, path: string): PathMatch<T> {
    const plain = pick(this.#plain.get(path), method);
    if (plain !== undefined) return { kind: 'found', target: plain.target, template: plain.template, values: NONE };
    if (!path.startsWith('/')) return { kind: 'none' };
    if (!hasOnlyGoodEscapes(path)) return { kind: 'bad_escape' };
    const readable = this.#mode === 'legacy' ? percentDecode(path) : path;
    if (readable === undefined) return { kind: 'bad_escape' };
    const raw = readable === '/' ? [] : readable.slice(1).split('/');
    for (const { segments, verb } of this.#readings(raw)) {
      const rule = search(this.#root, this.#decoded(segments), 0, (rules) => pick(rules.get(verb), method));
      if (rule !== undefined) return this.#found(rule, segments);
    }
    return this.#notFound(raw);
  }

  /** Other rules at a path without a rule for the method. */
  #notFound(raw: string[]): PathMatch<T> {
    const methods = new Set<string>();
    for (const { segments, verb } of this.#readings(raw)) {
      search(this.#root, this.#decoded(segments), 0, (rules) => {
        for (const known of rules.get(verb)?.keys() ?? []) methods.add(known);
        return undefined;
      });
    }
    return methods.size === 0 ? { kind: 'none' } : { kind: 'other_method', methods: [...methods].sort() };
  }

  /** Segments as literals of templates are written. */
  #decoded(segments: readonly string[]): readonly string[] {
    if (this.#mode === 'legacy' || !segments.some((segment) => segment.includes('%'))) return segments;
    return segments.map((segment) => percentDecode(segment) ?? segment);
  }

  /** The path as a verb call, for each known verb it ends with, and then as a plain path. */
  #readings(raw: string[]): readonly { readonly segments: readonly string[]; readonly verb: string }[] {
    const readings: { segments: readonly string[]; verb: string }[] = [];
    const last = raw.at(-1) ?? '';
    for (const verb of this.#verbs) {
      const colon = last.length - verb.length - 1;
      if (colon > 0 && last.endsWith(`:${verb}`)) {
        readings.push({ segments: [...raw.slice(0, -1), last.slice(0, colon)], verb });
      }
    }
    readings.push({ segments: raw, verb: '' });
    return readings;
  }

  #found(rule: Rule<T>, segments: readonly string[]): PathMatch<T> {
    const { template, target } = rule;
    const values: string[] = [];
    for (const variable of template.variables) {
      const raw = covered(template, variable, segments);
      const value = decodeVariable(raw, this.#mode, raw.includes('%') && coversManySegments(template, variable));
      if (value === undefined) return { kind: 'bad_escape' };
      values.push(value);
    }
    return { kind: 'found', target, template, values };
  }
}

const NONE: readonly string[] = [];

/** The raw path text of a variable. */
function covered({ segments: pattern }: Template, { start, length }: Variable, segments: readonly string[]): string {
  // `**` matches the segments between the other parts of the template.
  const extra = segments.length - pattern.length;
  const multiAt = extra === 0 ? -1 : pattern.findIndex((segment) => segment.kind === 'multi');
  if (multiAt < 0 && length === 1) return segments[start] ?? '';
  const shift = (at: number): number => (multiAt >= 0 && at > multiAt ? at + extra : at);
  return segments.slice(shift(start), shift(start + length)).join('/');
}

/** The path of a template with a single spelling; `undefined` for others. */
function plainPath({ segments, variables, verb }: Template): string | undefined {
  if (verb !== '' || variables.length > 0) return undefined;
  const texts = segments.map((segment) => (segment.kind === 'literal' ? segment.text : ''));
  return texts.every((text) => /^[A-Za-z0-9_.-]+$/.test(text)) ? `/${texts.join('/')}` : undefined;
}

function pick<T>(rules: RulesByMethod<T> | undefined, method: string): Rule<T> | undefined {
  if (rules === undefined) return undefined;
  return rules.get(method) ?? (method === 'HEAD' ? rules.get('GET') : undefined) ?? rules.get(ANY_METHOD);
}
