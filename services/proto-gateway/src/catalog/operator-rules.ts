import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import type { BoundMethod } from '@mlango/transcoder/http-rules';
import type { UnescapeMode } from '@mlango/transcoder/percent-decoding';
import { overrideRules, readServiceRules, type ServiceRuleProblem } from '@mlango/transcoder/service-rules';

/** A `google.api.Service`, and how problems in it are told. */
export interface HttpRules {
  readonly config: unknown;
  readonly tell: (problem: ServiceRuleProblem) => string;
}

/** Rules of a `google.api.Service` that are none. The message names every one. */
export class HttpRulesError extends Error {
  override readonly name = 'HttpRulesError';
}

/**
 * The rules of annotations with those of the operator in place of them, which of them are those, and what the operator says
 * of escapes.
 *
 * @param onProblem told of rules that are left out; omitted: that is an error
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
  const told = problems.map(httpRules.tell);
  if (told.length > 0 && onProblem === undefined) throw new HttpRulesError(told.join('; '));
  for (const problem of told) onProblem?.(problem);
  return { rules: overrideRules(methods, rules), own: new Set(rules.map(({ rpc }) => rpc)), mode };
}
