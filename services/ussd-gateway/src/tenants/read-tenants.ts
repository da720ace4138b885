import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FlowSource, flowInLanguages } from '../flows/build-flow.js';
import { type FolderRead, flowsIn, type Offered, readFlows, type SoundFlows } from '../flows/read-flow.js';
import { readTextFile, renameTo, TextFileError, YamlFile, yamlFilesIn } from '../flows/yaml-file.js';
import { clash, type ServiceCodes, tooManyGroups } from './service-codes.js';
import { defaultTenant, type TenantEntry, type TenantLimits, tenantsFile } from './tenants-file.js';

/** A flow, or only its name if the process has it already. */
export type SentFlow = FlowSource | (Pick<FlowSource, 'id' | 'revision'> & { readonly file?: undefined });

/** A validated tenant, as plain data. */
export interface TenantSource<Read extends SentFlow = FlowSource> {
  readonly id: string;
  readonly codes: readonly ServiceCodes[];
  readonly name: string;
  /** Undefined without `services.yaml`. */
  readonly limits: TenantLimits | undefined;
  /** In hexadecimal. Without it only the operator of the gateway has access. */
  readonly operatorTokenSha256: string | undefined;
  /** The flow, and its earlier versions. */
  readonly flows: readonly [Read, ...Read[]];
}

/** The tenants of a folder; or its problems, a line each, with file and line. */
export type TenantsRead<Read extends SentFlow = FlowSource> =
  | { readonly services: readonly TenantSource<Read>[]; readonly problems?: never }
  | { readonly problems: readonly string[] };

/** Settings of the deployment that the folder depends on. */
export interface Deployment {
  /** The name of tenants without one. */
  readonly appName: string;
  /** The connectors that flows may use; any if undefined. */
  readonly offered?: Offered | undefined;
  /** How many groups of digits a service code may have; any number if undefined. */
  readonly codeLevels?: number | undefined;
}

const servicesName = 'services.yaml';

/**
 * Reads a folder of flows and its tenants: those of `services.yaml`, or the single tenant `default` without that file.
 * @param sound flows that need not be checked again.
 */
export function readTenants(folder: string, deployment: Deployment, sound?: SoundFlows): TenantsRead {
  const path = join(folder, servicesName);
  const hasFile = existsSync(path);
  if (!hasFile) {
    const misplaced = misplacedFlows(folder);
    if (misplaced !== undefined) return { problems: [misplaced] };
  }
  let written = `services: { ${defaultTenant}: {} }`;
  try {
    if (hasFile) written = readTextFile(path);
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    return { problems: [`${path}:${error.line} ${error.message}`] };
  }
  const file = new YamlFile(servicesName, written, tenantsFile);
  const { services } = file.value ?? {};
  if (services === undefined || file.problems.length > 0)
    return { problems: file.problems.map(({ line, description }) => `${path}:${line} ${description}`) };
  const refused = (at: readonly string[], problem: string) =>
    `${path}:${file.lineOf(['services', ...at])} ${at.join('.')}: ${problem}`;
  const problems = [
    ...codeProblems(services, refused, deployment.codeLevels),
    ...sharedTokens(services, refused),
    ...unreachableFlows(folder, services),
    ...Object.entries(services).flatMap(([id, { flow = id }]) =>
      !hasFile || existsSync(join(folder, flow))
        ? []
        : [refused([id, 'flow'], `there is no folder "${flow}" next to this file`)],
    ),
  ];
  if (problems.length > 0) return { problems };
  const readOnce = once((flow: string, appName: string) =>
    readFlows(folder, flow, { facts: { appName }, offered: deployment.offered, sound }),
  );
  const reads = Object.entries(services).map(([id, service]) =>
    readTenant(id, service, { deployment, hasFile, readOnce, refused }),
  );
  const unsound = [...new Set(reads.flatMap((read) => read.problems ?? []))];
  if (unsound.length > 0) return { problems: unsound };
  return { services: reads.flatMap((read) => (read.problems === undefined ? [read.service] : [])) };
}

/** Explains why a folder without `services.yaml` has no flow to serve. Undefined if it has one. */
function misplacedFlows(folder: string): string | undefined {
  const { names, misnamed } = yamlFilesIn(folder);
  const isFlow = [...names, ...misnamed].some((name) => /^flow\.ya?ml$/i.test(name));
  if (isFlow)
    return `${folder}: is the folder of one flow; the folder of flows (FLOWS_DIR) is the one above it, ${dirname(resolve(folder))}`;
  const other = misnamed.find((name) => /^services\.ya?ml$/i.test(name));
  if (other !== undefined) return `${join(folder, other)}:1 ${renameTo(other)}`;
  if (existsSync(join(folder, defaultTenant))) return undefined;
  const below = [...flowsIn(folder).keys()].find((name) => existsSync(join(folder, name, defaultTenant, 'flow.yaml')));
  const remedy = below === undefined ? '' : `; the folder of flows (FLOWS_DIR) may be ${join(folder, below)}`;
  return `${folder}: has neither ${defaultTenant}/flow.yaml nor ${servicesName}${remedy}`;
}

type Problem = (at: readonly string[], problem: string) => string;
type TenantEntries = Readonly<Record<string, TenantEntry>>;

/** Overlapping service codes, and tenants without a code. */
function codeProblems(services: TenantEntries, refused: Problem, levels = Number.POSITIVE_INFINITY): string[] {
  const problems: string[] = [];
  const taken: { readonly id: string; readonly codes: ServiceCodes }[] = [];
  for (const [id, { codes = [] }] of Object.entries(services)) {
    if (id === defaultTenant && codes.length > 0)
      problems.push(refused([id, 'codes'], 'it gets those that no other service has, and needs none'));
    if (id !== defaultTenant && codes.length === 0)
      problems.push(refused([id], 'needs codes, such as codes: ["*384*1#"]; without any it is never dialled'));
    for (const [index, one] of codes.entries()) {
      const tooMany = tooManyGroups(one.written, levels);
      if (tooMany !== undefined) problems.push(refused([id, 'codes', String(index)], tooMany));
      const other = taken.find((known) => clash(known.codes, one));
      if (other !== undefined)
        problems.push(
          refused([id, 'codes', String(index)], `${one.written} is of ${other.id} too (${other.codes.written})`),
        );
      taken.push({ id, codes: one });
    }
  }
  return problems;
}

/** Operator tokens of more than one tenant. */
function sharedTokens(services: TenantEntries, refused: Problem): string[] {
  const known = new Map<string, string>();
  return Object.entries(services).flatMap(([id, { operatorTokenSha256: token }]) => {
    const other = token === undefined ? undefined : known.get(token);
    if (token !== undefined) known.set(token, id);
    return other === undefined
      ? []
      : [refused([id, 'operatorTokenSha256'], `is that of ${other} too: each needs its own`)];
  });
}

/** Flows that no code reaches. */
function unreachableFlows(folder: string, services: TenantEntries): string[] {
  const served = Object.entries(services).map(([id, { flow = id }]) => flow);
  return [...flowsIn(folder)]
    .filter(([flow]) => !served.includes(flow))
    .map(
      ([, [name = '']]) =>
        `${join(folder, name)}: no dial leads here; a flow is ${served.join(', ')}, or has a service in ${servicesName}; an earlier version is <flow>@…`,
    );
}

interface Reading {
  readonly deployment: Deployment;
  /** Whether `services.yaml` exists. */
  readonly hasFile: boolean;
  readonly readOnce: (flow: string, appName: string) => FolderRead;
  readonly refused: Problem;
}

type TenantRead =
  | { readonly service: TenantSource; readonly problems?: never }
  | { readonly problems: readonly string[] };

function readTenant(id: string, service: TenantEntry, { deployment, hasFile, readOnce, refused }: Reading): TenantRead {
  const { codes = [], flow = id, name = deployment.appName, limits, operatorTokenSha256 } = service;
  const { languages, defaultLanguage } = service;
  const read = readOnce(flow, name);
  if (read.problems !== undefined) return read;
  const [{ texts }] = read.sources;
  const known = Object.keys(texts).join(', ');
  const unknown = (languages ?? []).flatMap((language, index) =>
    Object.hasOwn(texts, language)
      ? []
      : [
          refused(
            [id, 'languages', String(index)],
            `the flow "${flow}" has no texts in "${language}", only in ${known}`,
          ),
        ],
  );
  const offered = languages ?? Object.keys(texts);
  if (defaultLanguage !== undefined && !offered.includes(defaultLanguage))
    unknown.push(refused([id, 'defaultLanguage'], `"${defaultLanguage}" is not one of ${offered.join(', ')}`));
  if (unknown.length > 0) return { problems: unknown };
  const inThem = (source: FlowSource) => flowInLanguages(source, { languages, defaultLanguage });
  const [first, ...earlier] = read.sources;
  const flows = [inThem(first), ...earlier.map(inThem)] as const;
  return { service: { id, codes, name, limits: hasFile ? limits : undefined, operatorTokenSha256, flows } };
}

function once<Result>(read: (flow: string, appName: string) => Result) {
  const known = new Map<string, Result>();
  return (flow: string, appName: string): Result => {
    const name = `${flow} ${appName}`;
    const result = known.get(name) ?? read(flow, appName);
    known.set(name, result);
    return result;
  };
}

/** @throws {Error} with a line for each problem. */
export function loadTenants(folder: string, deployment: Deployment): readonly TenantSource[] {
  const read = readTenants(folder, deployment);
  if (read.problems !== undefined) throw new Error(['The flows are not sound:', ...read.problems].join('\n  '));
  return read.services;
}
