import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Facts, Flow } from '../engine/flow.js';
import { buildFlow, type FlowSource } from './build-flow.js';
import { readFlow } from './read-flow.js';

/** Dials begin on the first; those after it are earlier versions, for the sessions that began on them. */
export type FlowsInService = readonly [Flow, ...Flow[]];

/** The flows of this package: `flows/`, from `src/flows` and from `dist/flows` alike. */
export const shippedFlows = fileURLToPath(new URL('../../flows/', import.meta.url));

/** The flows of a folder, the one that dials begin on first; or all that is wrong with them, a line each, with file and line. */
export type FolderRead =
  | { readonly sources: readonly [FlowSource, ...FlowSource[]]; readonly problems?: never }
  | { readonly problems: readonly string[] };

/** Reads the flow `default` of a folder of flows, and its earlier versions, `default@…`. Not two of them may be the same version. */
export function readFlows(folder: string, facts: Facts, webhooks?: readonly string[]): FolderRead {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  const stranger = names.find((name) => !/^default(?:@.+)?$/.test(name));
  if (stranger !== undefined) {
    return {
      problems: [
        `${join(folder, stranger)}: no dial leads here; a flow is default, an earlier version of it default@…`,
      ],
    };
  }
  const reads = ['default', ...names.filter((name) => name !== 'default')].map((name) => ({
    name,
    read: readFlow(join(folder, name), facts, webhooks),
  }));
  const problems = reads.flatMap(({ name, read }) =>
    (read.problems ?? []).map(({ file, line, says }) => `${join(folder, name, file)}:${line} ${says}`),
  );
  const [first, ...earlier] = reads.flatMap(({ read }) => (read.problems === undefined ? [read.source] : []));
  if (first === undefined || problems.length > 0) return { problems };
  const versions = [first, ...earlier].map(({ file }) => file.version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) return { problems: [`${folder}: version ${twice} of the flow "default" is there twice`] };
  return { sources: [first, ...earlier] };
}

/** @throws {Error} with a line for each thing that is wrong with one. */
export function loadFlows(folder: string, facts: Facts, webhooks?: readonly string[]): FlowsInService {
  const read = readFlows(folder, facts, webhooks);
  if (read.problems !== undefined) throw new Error(['The flows are not sound:', ...read.problems].join('\n  '));
  return buildFlows(read.sources);
}

export function buildFlows([first, ...earlier]: readonly [FlowSource, ...FlowSource[]]): FlowsInService {
  return [buildFlow(first).flow, ...earlier.map((source) => buildFlow(source).flow)];
}
