import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FileRegistry } from '@bufbuild/protobuf';
import { PAGE_LIMITS } from '@mlango/cosmos-rest';
import { EnvError } from '@mlango/service-kit/env';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import { readDescriptorImage } from '@mlango/transcoder/descriptor-image';
import { readKeys } from '../access/key-file.js';
import type { Catalog, CatalogSource } from '../catalog/catalog.js';
import { collectFiles, type FileSource } from '../catalog/descriptors.js';
import { type Discovery, discoveredCatalog, startDiscovery } from '../catalog/discovery.js';
import { LEGACY_PATHS } from '../catalog/legacy-paths.js';
import { HttpRulesError, type RulesFile, readRulesFile } from '../catalog/operator-rules.js';
import { buildRouteTable, RouteTableError, type RouteTableOptions } from '../catalog/routes.js';
import type { Config } from '../config.js';
import type { ChainNode } from '../nodes/chain-node.js';
import { reflectionOf } from '../nodes/reflection.js';

const QUESTION_TIMEOUT_MS = 5000;
const LIMITS = { services: 1000, files: 5000, bytes: 32 * 1024 * 1024 };
const RETRY_MS = 1000;
const REFRESH_MS = 300_000;

/** The descriptors of a file, and their catalog, unless the catalog comes from reflection. */
export interface KnownCatalog {
  readonly registry: FileRegistry;
  readonly options: RouteTableOptions;
  readonly catalog: Catalog | undefined;
}

/** @throws {EnvError} when the descriptors cannot be served, naming the variable to look at */
export function openCatalog({ catalog: config, access }: Pick<Config, 'catalog' | 'access'>): KnownCatalog {
  try {
    const registry = readDescriptorImage(readImage(config.PROTO_DESCRIPTOR_SET));
    const options = tableOptions(config);
    if (config.PROTO_DISCOVERY === 'reflection') return { registry, options, catalog: undefined };
    checkKeyPlans(access.GATEWAY_KEYS, registry);
    return { registry, options, catalog: { registry, table: buildRouteTable(registry, options) } };
  } catch (error) {
    if (error instanceof EnvError) throw error;
    const isTypo = error instanceof RouteTableError && error.unknownMethods.length > 0;
    const ofFile = error instanceof HttpRulesError ? 'PROTO_HTTP_RULES' : 'PROTO_DESCRIPTOR_SET';
    const variable = isTypo ? 'PROTO_DISABLED_METHODS' : ofFile;
    throw new EnvError([{ variable, message: error instanceof Error ? error.message : String(error) }]);
  }
}

/** The fixed catalog, or one that follows the node's reflection while the process runs. */
export function followCatalog(known: KnownCatalog, node: ChainNode, logger: Logger): Discovery {
  const { registry, catalog } = known;
  const problems = new Set<string>();
  const onProblem = (problem: string): void => {
    // A node repeats a wrong rule at every discovery.
    if (!problems.has(problem)) logger.warn({ problem }, 'a rule is not served');
    problems.add(problem);
  };
  if (catalog !== undefined) {
    catalog.table.conflicts.forEach(onProblem);
    return { current: () => catalog, close: () => {} };
  }
  const options: RouteTableOptions = { ...known.options, onProblem };
  let last: { readonly digest: string; readonly catalog: Catalog } | undefined;
  return startDiscovery({
    async discover() {
      const source = digesting(reflectionOf(node, { timeoutMs: QUESTION_TIMEOUT_MS }));
      const found = await collectFiles(source, registry, LIMITS);
      const digest = source.digest();
      if (last?.digest !== digest) last = { digest, catalog: discoveredCatalog(found, registry, options) };
      return last.catalog;
    },
    retryMs: RETRY_MS,
    refreshMs: REFRESH_MS,
    onFound({ table }) {
      table.conflicts.forEach(onProblem);
      logger.info({ routes: table.routes.length }, 'catalog discovered');
    },
    onFailure: (err) => logger.warn({ err }, 'catalog discovery failed'),
  });
}

/** Rejects as long as nothing is known: a gateway without routes is not ready. */
export function catalogCheck(source: CatalogSource): () => Promise<void> {
  return async () => {
    if (source.current() === undefined) throw new Error('the catalog is not known yet');
  };
}

/** A plan with an unknown method would refuse calls that the operator meant to allow. */
function checkKeyPlans(path: string | undefined, registry: FileRegistry): void {
  if (path === undefined) return;
  const isServed = (name: string): boolean => {
    const [service = '', method] = name.split('/');
    const known = registry.getService(service);
    return known !== undefined && (method === undefined || known.methods.some((each) => each.name === method));
  };
  const read = readKeys(path, { isServed });
  if ('problem' in read) throw new EnvError([{ variable: 'GATEWAY_KEYS', message: read.problem }]);
}

function tableOptions(config: Config['catalog']): RouteTableOptions {
  return {
    prefixes: { current: config.PROTO_PREFIX, legacy: config.PROTO_LEGACY_PREFIXES },
    disabled: config.PROTO_DISABLED_METHODS,
    allowTx: config.PROTO_ALLOW_TX,
    httpRules: readRules(config.PROTO_HTTP_RULES),
    unknownQuery: config.PROTO_UNKNOWN_QUERY,
    invalidUtf8: config.PROTO_INVALID_UTF8,
    pages: { ...PAGE_LIMITS, maxLimit: BigInt(config.PROTO_MAX_PAGE_LIMIT) },
    ...(config.PROTO_LEGACY_ROUTES === 'on' ? { legacyPaths: LEGACY_PATHS } : {}),
  };
}

function readRules(file: string | undefined): RulesFile | undefined {
  try {
    return file === undefined ? undefined : readRulesFile(file);
  } catch (error) {
    throw new EnvError([
      { variable: 'PROTO_HTTP_RULES', message: error instanceof Error ? error.message : String(error) },
    ]);
  }
}

/** This build's image is in the proto package. */
function readImage(named: string | undefined): Uint8Array {
  const file = named ?? createRequire(import.meta.url).resolve('@mlango/proto/descriptor.binpb');
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${systemReason(systemCode(error) ?? 'unknown error')}`, { cause: error });
  }
}

/** Computes a digest of all responses of a source, so that unchanged descriptors rebuild nothing. */
function digesting(source: FileSource): FileSource & { digest(): string } {
  const pieces = new Set<string>();
  const note = (bytes: string | Uint8Array): void => {
    pieces.add(createHash('sha256').update(bytes).digest('hex'));
  };
  const noteAll = (files: readonly Uint8Array[]): readonly Uint8Array[] => {
    for (const file of files) note(file);
    return files;
  };
  return {
    async services() {
      const services = await source.services();
      note([...services].sort().join('\n'));
      return services;
    },
    filesOfSymbol: async (symbol) => noteAll(await source.filesOfSymbol(symbol)),
    filesByName: async (name) => noteAll(await source.filesByName(name)),
    digest: () => [...pieces].sort().join(),
  };
}
