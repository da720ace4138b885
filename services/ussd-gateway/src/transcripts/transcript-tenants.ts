import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Facts, Flow } from '../engine/flow.js';
import { buildFlow, type FlowSource } from '../flows/build-flow.js';
import { readFlow } from '../flows/read-flow.js';
import { readTenants } from '../tenants/read-tenants.js';
import { routeCodes } from '../tenants/service-codes.js';
import { defaultTenant } from '../tenants/tenants-file.js';

/** A flow for dials, with the facts of its tenant. */
export interface TranscriptTenant {
  readonly flow: Flow;
  readonly facts: Facts;
  /** The folder of the flow. */
  readonly folder: string;
}

/** The tenants of a folder of flows; or its problems, a line each, with file and line. */
export type TranscriptTenants =
  | {
      /** The folders of the dialled flows, each once. */
      readonly folders: readonly string[];
      /** Undefined for a code without a tenant. */
      readonly dialled: (serviceCode: string) => TranscriptTenant | undefined;
      readonly problems?: never;
    }
  | { readonly problems: readonly string[] };

/**
 * Reads the tenants of a folder: its `services.yaml`, or `default/` for every code; or the one flow of the folder itself.
 *
 * @param appName the name of tenants without one.
 */
export function readTranscriptTenants(path: string, appName: string): TranscriptTenants {
  const folder = resolve(path);
  if (existsSync(join(folder, 'flow.yaml'))) return oneFlow(folder, { appName });
  const { services, problems } = { services: undefined, ...readTenants(folder, { appName }) };
  if (services === undefined) return { problems };
  const routes = services.map(({ id, codes, name, flows: [source] }) => ({
    id,
    codes,
    to: built(source, { appName: name }, join(folder, source.id)),
  }));
  const route = routeCodes(routes.flatMap(({ codes, to }) => codes.map((one) => ({ codes: one, to }))));
  const others = routes.find(({ id }) => id === defaultTenant)?.to;
  return {
    folders: [...new Set(routes.map(({ to }) => to.folder))],
    dialled: (serviceCode) => route(serviceCode) ?? others,
  };
}

function oneFlow(folder: string, facts: Facts): TranscriptTenants {
  const read = readFlow(folder, facts);
  if (read.problems !== undefined)
    return {
      problems: read.problems.map(({ file, line, description }) => `${join(folder, file)}:${line} ${description}`),
    };
  const service = built(read.source, facts, folder);
  return { folders: [folder], dialled: () => service };
}

function built(source: FlowSource, facts: Facts, folder: string): TranscriptTenant {
  return { flow: buildFlow(source).flow, facts, folder };
}
