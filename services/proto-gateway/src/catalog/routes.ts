import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import { cosmosRest } from '@mlango/cosmos-rest';
import type { PageLimits } from '@mlango/cosmos-rest/page-rules';
import { createTranscoder, type InvalidUtf8, type Transcoder } from '@mlango/transcoder';
import type { UnknownQuery } from '@mlango/transcoder/bind-query';
import { type HttpRoute, toRoute } from '@mlango/transcoder/http-route';
import { type BoundMethod, type HttpBinding, nameOfRpc, readHttpRules } from '@mlango/transcoder/http-rules';
import type { UnescapeMode } from '@mlango/transcoder/percent-decoding';
import { printTemplate } from '@mlango/transcoder/template';
import { type Prefixes, type Successor, servedTemplates } from './legacy-paths.js';
import { type HttpRules, withHttpRules } from './operator-rules.js';

/** One way into an rpc. */
export interface Route extends HttpRoute {
  /** `ixo.claims.v1beta1.Query/ClaimList` */
  readonly rpcName: string;
  /** Its path at a node: its name after a slash. */
  readonly rpcPath: string;
  /** For a legacy spelling: its successor. */
  readonly successor: Successor | undefined;
  readonly isDisabled: boolean;
  /** The node does not have the rpc. */
  readonly isMissing: boolean;
}

export interface RouteTable {
  readonly transcoder: Transcoder<Route>;
  /** In the order of the descriptors. */
  readonly routes: readonly Route[];
  /**
   * Rules hidden by an earlier one for the same method and path, as texts for the operator; without those within one
   * published service.
   */
  readonly conflicts: readonly string[];
}

export interface RouteTableOptions {
  readonly prefixes: Prefixes;
  /** Names of methods (`pkg.Service/Method`) or services (`pkg.Service`) that are mounted only to answer 501. */
  readonly disabled?: readonly string[] | undefined;
  /** The allowed transactions; others are mounted to answer 501. */
  readonly allowTx?: readonly TxKind[] | undefined;
  readonly unescape?: UnescapeMode | undefined;
  readonly unknownQuery?: UnknownQuery | undefined;
  /** Handling of bytes that are not UTF-8 in a string of a reply; replaced by default. */
  readonly invalidUtf8?: InvalidUtf8 | undefined;
  /** Rules that hold in place of the annotations of their methods. */
  readonly httpRules?: HttpRules | undefined;
  readonly pages?: PageLimits | undefined;
  /** Additional templates by rpc. Those of the rules take precedence. */
  readonly legacyPaths?: Readonly<Record<string, readonly string[]>>;
  /** Names of rpcs that the node is known not to have: mounted to answer 501. */
  readonly missing?: ReadonlySet<string>;
  /** Called for each rule that cannot be mounted, except conflicts. Omitted: problems throw. */
  readonly onProblem?: (problem: string) => void;
}

/** Rules that cannot be mounted. The message names every one. */
export class RouteTableError extends Error {
  override readonly name = 'RouteTableError';
  readonly problems: readonly string[];
  /** Disabled methods that do not exist. */
  readonly unknownMethods: readonly string[];

  constructor(misfits: readonly string[], unknownMethods: readonly string[]) {
    const problems = [...misfits, ...unknownMethods.map((name) => `there is no method ${name} to disable`)];
    super(problems.join('; '));
    this.problems = problems;
    this.unknownMethods = unknownMethods;
  }
}

/**
 * Mounts every HTTP rule of a registry. Of two rpcs with the same method and path the first gets it, as in the chain's
 * own gateway; an rpc that is not served gets none.
 *
 * @throws {RouteTableError} when a template is malformed or names a field its request does not have
 */
export function buildRouteTable(registry: FileRegistry, options: RouteTableOptions): RouteTable {
  return mountRoutes(registry, readHttpRules(registry), options);
}

/** As `buildRouteTable`, for rules that are already read. */
export function mountRoutes(
  registry: FileRegistry,
  methods: readonly BoundMethod[],
  options: RouteTableOptions,
): RouteTable {
  const { rules, own, mode } = withHttpRules(registry, methods, options.httpRules, options.onProblem);
  const transcoder = createTranscoder<Route>({
    files: registry,
    routes: [],
    ...cosmosRest(registry, options.pages),
    unescape: mode ?? options.unescape,
    unknownQuery: options.unknownQuery,
    invalidUtf8: options.invalidUtf8 ?? 'replace',
  });
  const all: Route[] = [];
  const problems: string[] = [];
  const unknownMethods = findUnknown(rules, options.disabled ?? []);
  for (const { rpc, bindings } of rules) {
    for (const binding of bindings) {
      const spelled = spellRoutes(rpc, binding, options);
      if ('problem' in spelled) problems.push(`${nameOfRpc(rpc)} at ${binding.template}: ${spelled.problem}`);
      else all.push(...spelled.routes);
    }
  }
  if (problems.length + unknownMethods.length > 0) {
    const error = new RouteTableError(problems, unknownMethods);
    if (options.onProblem === undefined) throw error;
    for (const problem of error.problems) options.onProblem(problem);
  }
  const { mounted, conflicts } = mountInOrder(transcoder, all, own);
  const routes = all.filter((route) => mounted.has(route));
  const legacy = new Set<Route>();
  for (const route of legacyRoutes(routes, options.legacyPaths ?? {})) mount(transcoder, route, legacy);
  return { transcoder, routes: [...routes, ...legacy], conflicts };
}

/**
 * Mounts served routes first. Two rpcs of one service that claim one path in the published rules, as in Cosmos' auth, are no
 * conflict.
 */
function mountInOrder(
  transcoder: Transcoder<Route>,
  all: readonly Route[],
  own: ReadonlySet<DescMethod>,
): { mounted: ReadonlySet<Route>; conflicts: readonly string[] } {
  const mounted = new Set<Route>();
  const conflicts: string[] = [];
  for (const route of all.filter(isServed)) {
    const taken = mount(transcoder, route, mounted);
    if (taken === undefined || taken.rpcName === route.rpcName) continue;
    if (taken.rpc.parent.typeName === route.rpc.parent.typeName && !own.has(taken.rpc) && !own.has(route.rpc)) continue;
    const place = `${route.method} ${printTemplate(route.template)}`;
    conflicts.push(`${route.rpcName} is not served at ${place}, which ${taken.rpcName} has`);
  }
  for (const route of all) if (!isServed(route)) mount(transcoder, route, mounted);
  return { mounted, conflicts };
}

function isServed({ isDisabled, isMissing }: Route): boolean {
  return !isDisabled && !isMissing;
}

/** Returns the existing route. */
function mount(transcoder: Transcoder<Route>, route: Route, mounted: Set<Route>): Route | undefined {
  const taken = transcoder.mount(route);
  if (taken === undefined) mounted.add(route);
  return taken;
}

/** Earlier paths of the mounted rpcs, each a copy of the rpc's first route. */
function legacyRoutes(routes: readonly Route[], legacyPaths: Readonly<Record<string, readonly string[]>>): Route[] {
  return Object.entries(legacyPaths).flatMap(([rpcName, templates]) => {
    const current = routes.find((route) => route.rpcName === rpcName && route.method === 'GET');
    if (current === undefined) return [];
    return templates.flatMap((template) => {
      const legacy = toRoute(current.rpc, { ...current, template });
      return 'problem' in legacy ? [] : [{ ...current, ...legacy, successor: { template: current.template } }];
    });
  });
}

/** The routes of a binding. */
function spellRoutes(
  rpc: DescMethod,
  binding: HttpBinding,
  { prefixes, disabled = [], allowTx = [], missing }: RouteTableOptions,
): { routes: Route[] } | { problem: string } {
  const published = toRoute(rpc, binding);
  if ('problem' in published) return published;
  const rpcName = nameOfRpc(rpc);
  const tx = txKindOf(rpcName);
  const isClosed = tx !== undefined && !allowTx.includes(tx);
  const isDisabled = isClosed || disabled.includes(rpcName) || disabled.includes(rpc.parent.typeName);
  const isMissing = missing?.has(rpcName) === true;
  return {
    routes: servedTemplates(published.template, prefixes).map((spelling) => {
      return { ...published, ...spelling, rpcName, rpcPath: `/${rpcName}`, isDisabled, isMissing };
    }),
  };
}

function findUnknown(methods: readonly BoundMethod[], disabled: readonly string[]): string[] {
  const known = new Set(methods.flatMap(({ rpc }) => [nameOfRpc(rpc), rpc.parent.typeName]));
  return disabled.filter((name) => !known.has(name));
}

/** Whether a call has no effect, so that it can be shared, cached and retried. Only rules with GET qualify. */
export function isQuery({ method, rpcName }: Route): boolean {
  return method === 'GET' && txKindOf(rpcName) === undefined;
}

/** The rpcs of a table by name, `ixo.claims.v1beta1.Query/ClaimList`. Of several routes of one rpc, a GET is preferred. */
export function rpcsOf(routes: readonly Route[]): ReadonlyMap<string, Route> {
  const rpcs = new Map<string, Route>();
  for (const route of routes) {
    if (route.method === 'GET' || !rpcs.has(route.rpcName)) rpcs.set(route.rpcName, route);
  }
  return rpcs;
}

/** Transactions that can be allowed, by kind, with their rpcs. */
const TRANSACTIONS = {
  simulate: ['cosmos.tx.v1beta1.Service/Simulate'],
  broadcast: ['cosmos.tx.v1beta1.Service/BroadcastTx'],
} as const;

export type TxKind = keyof typeof TRANSACTIONS;

export const TX_KINDS: readonly TxKind[] = ['simulate', 'broadcast'];

const KIND_OF = new Map(TX_KINDS.flatMap((kind) => TRANSACTIONS[kind].map((name): [string, TxKind] => [name, kind])));

/** The kind of transaction of an rpc; `undefined` for a query. Transactions are called once, for one caller. */
export function txKindOf(rpcName: string): TxKind | undefined {
  return KIND_OF.get(rpcName);
}
