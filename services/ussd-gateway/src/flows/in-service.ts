import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Facts, Flow } from '../engine/flow.js';
import type { FlowSource } from './build-flow.js';
import { type Offered, readFlow, type SoundFlows } from './read-flow.js';

/** Dials begin on the first; those after it are earlier versions, for the sessions that began on them. */
export type FlowsInService = readonly [Flow, ...Flow[]];

/** The flows of this package: `flows/`, from `src/flows` and from `dist/flows` alike. */
export const shippedFlows = fileURLToPath(new URL('../../flows/', import.meta.url));

/** A flow that dials begin on, and its earlier versions after it; or all that is wrong with them, a line each, with file and line. */
export type FolderRead =
  | { readonly sources: readonly [FlowSource, ...FlowSource[]]; readonly problems?: never }
  | { readonly problems: readonly string[] };

/** The flows of a folder by name, each with its earlier versions, `<name>@…`. */
export function flowsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const flows = new Map<string, readonly string[]>();
  const entries = readdirSync(folder, { withFileTypes: true }).filter((one) => !one.isFile());
  for (const { name } of entries.filter((one) => !one.name.startsWith('.')))
    flows.set(nameOf(name), [...(flows.get(nameOf(name)) ?? []), name]);
  return flows;
}

const nameOf = (folder: string) => folder.replace(/@.*$/, '');

/** Reads a flow of a folder, and its earlier versions. Not two of them may be the same version. */
export function readFlows(
  folder: string,
  flow: string,
  { facts, offered, sound }: { facts: Facts; offered?: Offered | undefined; sound?: SoundFlows | undefined },
): FolderRead {
  const earlier = (flowsIn(folder).get(flow) ?? []).filter((name) => name !== flow);
  const reads = [flow, ...earlier].map((name) => ({ name, read: readFlow(join(folder, name), facts, offered, sound) }));
  const problems = reads.flatMap(({ name, read }) =>
    (read.problems ?? []).map(({ file, line, says }) => `${join(folder, name, file)}:${line} ${says}`),
  );
  const [first, ...others] = reads.flatMap(({ read }) => (read.problems === undefined ? [read.source] : []));
  if (first === undefined || problems.length > 0) return { problems };
  const versions = [first, ...others].map(({ file }) => file.version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) return { problems: [`${folder}: version ${twice} of the flow "${flow}" is there twice`] };
  return { sources: [first, ...others] };
}
