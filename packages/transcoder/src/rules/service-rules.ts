import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { UnescapeMode } from '../template/percent-decoding.js';
import { toRoute } from './http-route.js';
import { type BoundMethod, type HttpBinding, nameOfRpc } from './http-rules.js';

/** A problem of a service configuration, with its path of keys and indices. */
export interface ServiceRuleProblem {
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

export interface ServiceRules {
  readonly rules: readonly BoundMethod[];
  /** The configured escape mode; `undefined` without one. */
  readonly unescape: UnescapeMode | undefined;
  /** Rules with a problem are left out. */
  readonly problems: readonly ServiceRuleProblem[];
}

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const VERBS = ['get', 'put', 'post', 'delete', 'patch'];
const RULE_KEYS = new Set([...VERBS, 'custom', 'body', 'response_body', 'additional_bindings', 'selector']);
/** As deep as the bindings of a rule may lie in each other. Source: google/api/http.proto. */
const DEPTH = 2;

/**
 * Reads the rules of a `google.api.Service` in parsed YAML: `http: { rules: [{ selector, get, … }] }`. The last rule of a
 * method counts. Other settings are ignored.
 *
 * @param findService finds a service by its full name
 */
export function readServiceRules(
  config: unknown,
  findService: (name: string) => DescService | undefined,
): ServiceRules {
  const reader = new RuleReader(findService);
  const top = reader.fields(config, [], 'is not a google.api.Service');
  if (top !== undefined && top['type'] !== undefined && top['type'] !== 'google.api.Service') {
    reader.problem(['type'], 'must be google.api.Service');
  }
  const http = reader.fields(top?.['http'] ?? {}, ['http'], 'must have rules');
  reader.onlyKeys(http ?? {}, new Set(['rules', 'fully_decode_reserved_expansion']), ['http']);
  const isFull = http?.['fully_decode_reserved_expansion'];
  if (isFull !== undefined && typeof isFull !== 'boolean') {
    reader.problem(['http', 'fully_decode_reserved_expansion'], 'must be true or false');
  }
  const rules = http?.['rules'] ?? [];
  if (!Array.isArray(rules)) reader.problem(['http', 'rules'], 'must be a list of rules');
  const byMethod = new Map<DescMethod, BoundMethod>();
  for (const [at, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const bound = reader.rule(rule, ['http', 'rules', at]);
    if (bound !== undefined) byMethod.set(bound.rpc, bound);
  }
  const mode = isFull === true ? 'all_except_slash' : 'all_except_reserved';
  return {
    rules: [...byMethod.values()],
    unescape: typeof isFull === 'boolean' ? mode : undefined,
    problems: reader.problems,
  };
}

/** The rules of annotations, but for methods that a service configuration has rules for. */
export function overrideRules(annotated: readonly BoundMethod[], rules: readonly BoundMethod[]): BoundMethod[] {
  const byMethod = new Map(rules.map((rule) => [nameOfRpc(rule.rpc), rule]));
  const overridden = annotated.map((method) => byMethod.get(nameOfRpc(method.rpc)) ?? method);
  const known = new Set(annotated.map(({ rpc }) => nameOfRpc(rpc)));
  return [...overridden, ...rules.filter(({ rpc }) => !known.has(nameOfRpc(rpc)))];
}

class RuleReader {
  readonly problems: ServiceRuleProblem[] = [];
  readonly #findService: (name: string) => DescService | undefined;

  constructor(findService: (name: string) => DescService | undefined) {
    this.#findService = findService;
  }

  problem(path: Path, problem: string): undefined {
    this.problems.push({ path, problem });
  }

  /** The fields of an object, in proto names; YAML may use JSON names. */
  fields(value: unknown, path: Path, problem: string): Fields | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.problem(path, problem);
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, each]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), each]),
    );
  }

  onlyKeys(fields: Fields, known: ReadonlySet<string>, path: Path): void {
    for (const key of Object.keys(fields)) if (!known.has(key)) this.problem([...path, key], `there is no ${key} here`);
  }

  rule(value: unknown, path: Path): BoundMethod | undefined {
    const before = this.problems.length;
    const rule = this.fields(value, path, 'must be a rule');
    const rpc = rule === undefined ? undefined : this.#method(rule['selector'], path);
    if (rule === undefined || rpc === undefined) return undefined;
    const [first, ...more] = this.#bindings(rpc, rule, path, DEPTH);
    return first === undefined || this.problems.length > before ? undefined : { rpc, bindings: [first, ...more] };
  }

  #method(selector: unknown, path: Path): DescMethod | undefined {
    const at = [...path, 'selector'];
    if (typeof selector !== 'string') return this.problem(at, 'must name a method: pkg.Service.Method');
    const dot = selector.lastIndexOf('.');
    const service = this.#findService(selector.slice(0, Math.max(dot, 0)));
    const rpc = service?.methods.find((method) => method.name === selector.slice(dot + 1));
    if (rpc === undefined) return this.problem(at, `there is no method ${selector}`);
    if (rpc.methodKind === 'unary' || rpc.methodKind === 'server_streaming') return rpc;
    return this.problem(at, `${selector} streams from its caller, which HTTP and JSON do not carry`);
  }

  #bindings(rpc: DescMethod, rule: Fields, path: Path, depth: number): HttpBinding[] {
    this.onlyKeys(rule, RULE_KEYS, path);
    const own = this.#binding(rpc, rule, path);
    const more = rule['additional_bindings'] ?? [];
    const at = [...path, 'additional_bindings'];
    if (!Array.isArray(more)) this.problem(at, 'must be a list of rules');
    if (depth === 1 && Array.isArray(more) && more.length > 0) this.problem(at, 'have no further ones');
    const additional = (Array.isArray(more) && depth > 1 ? more : []).flatMap((each, index) => {
      const inner = this.fields(each, [...at, index], 'must be a rule');
      return inner === undefined ? [] : this.#bindings(rpc, inner, [...at, index], depth - 1);
    });
    return [...(own === undefined ? [] : [own]), ...additional];
  }

  #binding(rpc: DescMethod, rule: Fields, path: Path): HttpBinding | undefined {
    const keys = [...VERBS, 'custom'].filter((key) => rule[key] !== undefined);
    const [key, second] = keys;
    if (key === undefined) return this.problem(path, `must have one of ${VERBS.join(', ')} and custom`);
    if (second !== undefined) return this.problem([...path, second], `cannot be given together with ${key}`);
    const custom = key === 'custom' ? this.fields(rule[key], [...path, key], 'must have kind and path') : undefined;
    const method = key === 'custom' ? custom?.['kind'] : key;
    const template = key === 'custom' ? custom?.['path'] : rule[key];
    const [body = '', responseBody = ''] = [rule['body'], rule['response_body']];
    if (typeof method !== 'string' || typeof template !== 'string') {
      return this.problem([...path, key], key === 'custom' ? 'must have kind and path' : 'must be a path template');
    }
    if (typeof body !== 'string') return this.problem([...path, 'body'], 'must be a name or *');
    if (typeof responseBody !== 'string') return this.problem([...path, 'response_body'], 'must be a name');
    const binding = { method: method.toUpperCase(), template, body, responseBody };
    const route = toRoute(rpc, binding);
    return 'problem' in route ? this.problem([...path, key], route.problem) : binding;
  }
}
