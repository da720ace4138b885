import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oracleActs } from '../connectors/oracle/oracle-operations.js';
import { findProblems } from '../engine/check/check-flow.js';
import { type Problem, printProblem } from '../engine/check/problem.js';
import type { Facts, Flow } from '../engine/flow.js';
import { effectsOf } from '../engine/screen-options.js';
import { messageOf } from '../engine/texts.js';
import { type BuiltFlow, buildFlow, type FlowSource } from './build-flow.js';
import { flowFile, languageForm, textsFile } from './flow-file.js';
import { type FileProblem, readTextFile, renameTo, TextFileError, YamlFile, yamlFilesIn } from './yaml-file.js';

/** Capabilities of this deployment for flows. */
export interface Offered {
  readonly webhooks: readonly string[];
  /** Whether a message provider is configured. */
  readonly messages: boolean;
  /** Whether an oracle is configured. */
  readonly oracle: boolean;
}

/** Flows already read and validated, by the content of their files and the service facts. */
export interface SoundFlows {
  find(key: string): FlowSource | undefined;
  keep(key: string, source: FlowSource): void;
}

/** A flow, or all problems of its files. */
export type FlowRead =
  | { readonly source: FlowSource; readonly problems?: never }
  | { readonly problems: readonly FileProblem[] };

/**
 * Reads a flow from its folder: `flow.yaml`, and `texts/` with a file for each language. Its id is the folder's
 * name up to an `@`: the part after it marks an earlier version.
 *
 * @param facts facts of the service.
 * @param offered capabilities that flows may use; any if unknown.
 * @param sound flows that need not be read and checked again.
 */
export function readFlow(folder: string, facts: Facts, offered?: Offered, sound?: SoundFlows): FlowRead {
  const id = basename(folder).replace(/@.*$/, '');
  const { files, problems: unread } = readFiles(folder);
  const [flowText, ...textFiles] = files;
  if (flowText === undefined || unread.length > 0) return { problems: unread };
  const digest = createHash('sha256').update(`${id}\n`);
  for (const { path, text } of files) digest.update(`${path} ${text.length}\n${text}`);
  const revision = digest.digest('hex').slice(0, 16);
  const key = `${revision} ${JSON.stringify(facts)}`;
  const known = sound?.find(key);
  if (known !== undefined) {
    sound?.keep(key, known);
    return { source: known };
  }
  const file = new YamlFile('flow.yaml', flowText.text, flowFile);
  const texts = textFiles.map(({ path, text }) => new YamlFile(path, text, textsFile));
  const unlike = [file, ...texts].flatMap(({ problems }) => problems);
  if (file.value === undefined || unlike.length > 0) return { problems: unlike };
  const source: FlowSource = {
    id,
    revision,
    file: file.value,
    texts: Object.fromEntries(texts.map(({ file: path, value = {} }) => [basename(path, '.yaml'), value])),
  };
  const built = buildFlow(source);
  const found = [...checkOffered(built.flow, offered), ...findProblems(built.flow, facts)];
  const problems = found.map((problem) => located(problem, built, file, texts));
  if (problems.length > 0) return { problems };
  sound?.keep(key, source);
  return { source };
}

/** Files of a flow with their texts, `flow.yaml` first, and the unreadable files. */
function readFiles(folder: string) {
  const { names, misnamed } = yamlFilesIn(join(folder, 'texts'));
  const problems: FileProblem[] = misnamed.map((name) => ({
    file: `texts/${name}`,
    line: 1,
    description: renameTo(name),
  }));
  if (names.length + misnamed.length === 0) {
    const description = 'has no texts: it needs a file for each language, such as texts/en.yaml';
    problems.push({ file: 'texts', line: 1, description });
  }
  for (const name of names) {
    const description = 'is named after no language: use the code of one, such as en.yaml or pt-MZ.yaml';
    if (!languageForm.test(basename(name, '.yaml'))) problems.push({ file: `texts/${name}`, line: 1, description });
  }
  const files = ['flow.yaml', ...names.map((name) => `texts/${name}`)].map((path) => {
    try {
      return { path, text: readTextFile(join(folder, path)) };
    } catch (error) {
      if (!(error instanceof TextFileError)) throw error;
      problems.push({ file: path, line: error.line, description: error.message });
      return { path, text: '' };
    }
  });
  return { files, problems };
}

/** Finds uses of capabilities that are not configured. */
function checkOffered({ operations = {}, screens }: Flow, offered?: Offered): Problem[] {
  if (offered === undefined) return [];
  const { webhooks, messages, oracle } = offered;
  const withQuestions = Object.entries(screens).filter(([, screen]) =>
    effectsOf(screen).some(({ effect }) => operations[effect] === oracleActs.askOracle),
  );
  const unanswered = oracle ? [] : withQuestions;
  const problems = unanswered.map(([state]) => ({
    at: ['screens', state],
    description: '"askOracle" has no oracle here: ORACLE_URL is not set',
  }));
  return [
    ...problems,
    ...Object.entries(operations).flatMap(([name, operation]) => {
      const { call } = operation;
      if (call !== undefined && !webhooks.includes(call.webhook)) {
        const description = `"${call.webhook}" is no webhook of this service: WEBHOOKS has ${webhooks.join(', ') || 'none'}`;
        return [{ at: ['operations', name, 'webhook'], description }];
      }
      if (messages || messageOf(operation) === undefined) return [];
      return [
        {
          at: ['operations', name, 'connector'],
          description: 'no provider sends messages here: MESSAGES is not set',
        },
      ];
    }),
  ];
}

/** Finds the place of a flow's problem in its files. */
function located(
  problem: Problem,
  { inline }: BuiltFlow,
  file: YamlFile<unknown>,
  texts: readonly YamlFile<unknown>[],
): FileProblem {
  const [part, language, key = ''] = problem.at;
  const description = printProblem(problem);
  if (part !== 'texts') return { file: file.file, line: file.lineOf(problem.at), description };
  const place = inline.get(key);
  if (place !== undefined) return { file: file.file, line: file.lineOf(place), description };
  const own = texts.find((one) => basename(one.file, '.yaml') === language) ?? file;
  return { file: own.file, line: own.lineOf([key]), description };
}

/** Dials begin on the first; the others are earlier versions for the sessions that began on them. */
export type FlowSet = readonly [Flow, ...Flow[]];

/** Flows of this package: `flows/`, relative to `src/flows` and to `dist/flows`. */
export const shippedFlows = fileURLToPath(new URL('../../flows', import.meta.url));

/** A flow for new dials with its earlier versions, or all problems, one line each with file and line. */
export type FolderRead =
  | { readonly sources: readonly [FlowSource, ...FlowSource[]]; readonly problems?: never }
  | { readonly problems: readonly string[] };

/** Flows of a folder by name, each with its earlier versions, `<name>@…`. */
export function flowsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const flows = new Map<string, readonly string[]>();
  const entries = readdirSync(folder, { withFileTypes: true }).filter((one) => !one.isFile());
  for (const { name } of entries.filter((one) => !one.name.startsWith('.')))
    flows.set(nameOf(name), [...(flows.get(nameOf(name)) ?? []), name]);
  return flows;
}

const nameOf = (folder: string) => folder.replace(/@.*$/, '');

/** Reads a flow of a folder, and its earlier versions. Each of them must have a different version. */
export function readFlows(
  folder: string,
  flow: string,
  { facts, offered, sound }: { facts: Facts; offered?: Offered | undefined; sound?: SoundFlows | undefined },
): FolderRead {
  const earlier = (flowsIn(folder).get(flow) ?? []).filter((name) => name !== flow);
  const reads = [flow, ...earlier].map((name) => ({ name, read: readFlow(join(folder, name), facts, offered, sound) }));
  const problems = reads.flatMap(({ name, read }) =>
    (read.problems ?? []).map(({ file, line, description }) => `${join(folder, name, file)}:${line} ${description}`),
  );
  const [first, ...others] = reads.flatMap(({ read }) => (read.problems === undefined ? [read.source] : []));
  if (first === undefined || problems.length > 0) return { problems };
  const versions = [first, ...others].map(({ file }) => file.version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) return { problems: [`${folder}: version ${twice} of the flow "${flow}" is there twice`] };
  return { sources: [first, ...others] };
}
