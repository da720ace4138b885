/** What V8 writes with `--cpu-prof`, as far as it is read here. Times are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function as it was called from the one above it, with the time in it and in what it called. */
export interface Call {
  readonly name: string;
  us: number;
  readonly calls: Call[];
}

/** Not work: the process waited. */
const waiting = '(idle)';

/**
 * The tree of calls with their times, the longest first; the same function called from the same place is one call.
 *
 * @param fromUs samples before are left out, on the clock of `startTime`
 */
export function foldProfile({ nodes, samples, timeDeltas, startTime }: CpuProfile, fromUs: number): Call {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const root: Call = { name: 'all', us: 0, calls: [] };
  const calls = new Map<number, Call>();
  const callOf = (id: number): Call => {
    const known = calls.get(id);
    if (known !== undefined) return known;
    const parent = parents.get(id);
    // V8's own root has no parent, and is ours.
    const call = parent === undefined ? root : within(callOf(parent), nameOf(byId.get(id)));
    calls.set(id, call);
    return call;
  };
  let atUs = startTime;
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index + 1] ?? 0;
    atUs += timeDeltas[index] ?? 0;
    if (atUs < fromUs || byId.get(id)?.callFrame.functionName === waiting) continue;
    callOf(id).us += us;
    for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent)) callOf(parent).us += us;
  }
  sort(root);
  return root;
}

function within(parent: Call, name: string): Call {
  const known = parent.calls.find((call) => call.name === name);
  if (known !== undefined) return known;
  const call = { name, us: 0, calls: [] };
  parent.calls.push(call);
  return call;
}

function nameOf(node: CpuProfile['nodes'][number] | undefined): string {
  if (node === undefined) return '(unknown)';
  const { functionName, url, lineNumber } = node.callFrame;
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === ''
    ? name
    : `${name} ${url.replace(/^.*\/(?:node_modules\/(?!.*node_modules)|(?=packages\/|services\/))/, '')}:${lineNumber + 1}`;
}

function sort({ calls }: Call): void {
  calls.sort((one, other) => other.us - one.us);
  for (const call of calls) sort(call);
}
