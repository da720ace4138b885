import { percentDecode } from './percent-decoding.js';
import type { Template } from './template.js';

/** A rule under a path: its route and its variables. */
export interface Rule<T> {
  readonly template: Template;
  readonly target: T;
}

export type RulesByMethod<T> = Map<string, Rule<T>>;

export interface TrieNode<T> {
  readonly literals: Map<string, TrieNode<T>>;
  single: TrieNode<T> | undefined;
  /** Rules that end in `**` and literals, the longest tail first. */
  readonly tails: { readonly literals: readonly string[]; readonly rules: Map<string, RulesByMethod<T>> }[];
  /** Rules that end here, by verb. */
  readonly rules: Map<string, RulesByMethod<T>>;
}

/** The rules for a template's place in the trie, made when the template is the first to go there. */
export function rulesAt<T>(root: TrieNode<T>, template: Template): RulesByMethod<T> {
  let node = root;
  for (const [at, segment] of template.segments.entries()) {
    if (segment.kind === 'multi') return rulesIn(tailOf(node, template, at), template.verb);
    if (segment.kind === 'single') node = node.single ??= newNode();
    else node = getOrAdd(node.literals, percentDecode(segment.text) ?? segment.text, newNode<T>);
  }
  return rulesIn(node.rules, template.verb);
}

export function newNode<T>(): TrieNode<T> {
  return { literals: new Map(), single: undefined, tails: [], rules: new Map() };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function rulesIn<T>(rules: Map<string, RulesByMethod<T>>, verb: string): RulesByMethod<T> {
  return getOrAdd(rules, verb, () => new Map());
}

function tailOf<T>(node: TrieNode<T>, template: Template, multiAt: number): Map<string, RulesByMethod<T>> {
  const literals = template.segments
    .slice(multiAt + 1)
    .flatMap((segment) => (segment.kind === 'literal' ? [percentDecode(segment.text) ?? segment.text] : []));
  const known = node.tails.find(
    (tail) => tail.literals.length === literals.length && tail.literals.every((text, at) => text === literals[at]),
  );
  if (known !== undefined) return known.rules;
  const rules = new Map<string, RulesByMethod<T>>();
  node.tails.push({ literals, rules });
  node.tails.sort((a, b) => b.literals.length - a.literals.length);
  return rules;
}

type Accept<T> = (rules: Map<string, RulesByMethod<T>>) => Rule<T> | undefined;

/** The most specific rule that `accept` takes, walking decoded segments. Visits each node once at most. */
export function search<T>(
  node: TrieNode<T>,
  segments: readonly string[],
  at: number,
  accept: Accept<T>,
): Rule<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) {
    const exact = accept(node.rules);
    if (exact !== undefined) return exact;
  } else {
    const literal = node.literals.get(segment);
    const below = literal === undefined ? undefined : search(literal, segments, at + 1, accept);
    if (below !== undefined) return below;
    const wild =
      node.single === undefined || segment === '' ? undefined : search(node.single, segments, at + 1, accept);
    if (wild !== undefined) return wild;
  }
  for (const tail of node.tails) {
    const from = segments.length - tail.literals.length;
    if (from < at || tail.literals.some((literal, index) => segments[from + index] !== literal)) continue;
    const found = accept(tail.rules);
    if (found !== undefined) return found;
  }
  return undefined;
}
