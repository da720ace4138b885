import { printTemplate, type Template } from '@mlango/transcoder/template';

/** The first path segment the chain publishes its own modules under. */
const PUBLISHED_PREFIX = 'ixo';

export interface Prefixes {
  /** Replaces the published prefix. */
  readonly current: string;
  /** Prefixes that serve the same routes as deprecated. */
  readonly legacy: readonly string[];
}

/** One spelling a route is served under. */
export interface ServedTemplate {
  readonly template: Template;
  /** For a legacy spelling: its successor. */
  readonly successor: Successor | undefined;
}

/** The spellings of a published template. Templates outside the chain's own prefix are unchanged. */
export function servedTemplates(published: Template, prefixes: Prefixes): ServedTemplate[] {
  const first = published.segments[0];
  if (first?.kind !== 'literal' || first.text !== PUBLISHED_PREFIX)
    return [{ template: published, successor: undefined }];
  const current = { template: withFirst(published, prefixes.current), successor: undefined };
  const legacy = prefixes.legacy
    .filter((prefix) => prefix !== prefixes.current)
    .map((prefix) => ({ template: withFirst(published, prefix), successor: { prefix: prefixes.current } }));
  return [current, ...legacy];
}

/** The first literal segment of a template, with its slash; `/` when it begins with a variable. */
export function prefixOf(template: Template): string {
  return printTemplate({ segments: template.segments.slice(0, 1), variables: [], verb: '' }).replaceAll('*', '');
}

function withFirst(template: Template, text: string): Template {
  return { ...template, segments: [{ kind: 'literal', text }, ...template.segments.slice(1)] };
}

/** The current place of a legacy route: under another first segment, or at another path. */
export type Successor = { readonly prefix: string } | { readonly template: Template };

/** A request as a legacy route matched it. */
export interface LegacyRequest {
  /** The path as it was sent. */
  readonly rawPath: string;
  readonly route: { readonly template: Template };
  /** The matched values of the template's variables. */
  readonly values: readonly string[];
}

/** The current path of a legacy request, escaped for a `Link` header. */
export function successorPath(successor: Successor, request: LegacyRequest): string {
  if ('prefix' in successor) {
    // Escapes stay unchanged.
    return request.rawPath.replace(/^\/[^/]+/, `/${successor.prefix}`).replace(/[<>"]/g, encodeURIComponent);
  }
  return fill(successor.template, request);
}

/** Stops at the first variable without a value: the legacy path did not contain it. */
function fill({ segments, variables }: Template, request: LegacyRequest): string {
  const known = new Map(
    request.route.template.variables.map((variable, at) => [variable.fieldPath, request.values[at]] as const),
  );
  let path = '';
  for (const [at, segment] of segments.entries()) {
    const fieldPath = variables.find((variable) => variable.start === at)?.fieldPath;
    const text = segment.kind === 'literal' ? segment.text : known.get(fieldPath ?? '');
    if (text === undefined) break;
    path += `/${encodeURIComponent(text).replaceAll('%3A', ':')}`;
  }
  return path;
}

/**
 * Paths of queries in earlier versions of the chain, by their current rpc. Prefixes are as published; variables have today's
 * field names. If two versions used one path for different queries, the later one counts. Paths of removed queries (payments,
 * project accounts, `didToAddr`) are not listed.
 */
export const LEGACY_PATHS: Readonly<Record<string, readonly string[]>> = {
  'ixo.entity.v1beta1.Query/Params': ['/ixo/entity/config'],
  'ixo.entity.v1beta1.Query/Entity': ['/ixo/project/{id}', '/project/{id}'],
  'ixo.iid.v1beta1.Query/IidDocuments': ['/ixo/allDidDocs', '/allDidDocs'],
  'ixo.iid.v1beta1.Query/IidDocument': ['/ixo/did/{id}', '/did/{id}'],
  'ixo.claims.v1beta1.Query/ClaimList': ['/ixo/claim'],
  'ixo.claims.v1beta1.Query/Claim': ['/ixo/claim/{id}'],
  'ixo.claims.v1beta1.Query/CollectionList': ['/ixo/collection'],
  'ixo.claims.v1beta1.Query/Collection': ['/ixo/collection/{id}'],
  'ixo.claims.v1beta1.Query/DisputeList': ['/ixo/dispute'],
  'ixo.claims.v1beta1.Query/Dispute': ['/ixo/dispute/{proof}'],
  'ixo.token.v1beta1.Query/Params': ['/ixo/token/config'],
  'ixo.token.v1beta1.Query/TokenList': ['/ixo/token/{minter}'],
  'ixo.token.v1beta1.Query/TokenDoc': ['/ixo/token/{minter}/{contract_address}'],
  'ixo.bonds.v1beta1.Query/Bonds': ['/ixo/bonds'],
  'ixo.bonds.v1beta1.Query/BondsDetailed': ['/ixo/bonds_detailed'],
  'ixo.bonds.v1beta1.Query/CustomPrice': ['/bonds/{bond_did}/price/{bond_amount}'],
  'ixo.liquidstake.v1beta1.Query/ModuleParams': ['/ixo/liquidstake/v1beta1/params'],
  // These named no pool: `pool_id` is a parameter.
  'ixo.liquidstake.v1beta1.Query/States': ['/ixo/liquidstake/v1beta1/states'],
  'ixo.liquidstake.v1beta1.Query/LiquidValidators': ['/ixo/liquidstake/v1beta1/validators'],
};
