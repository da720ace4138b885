import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { shippedAggregators } from '../aggregators/registry.js';
import { readDescriptions } from '../aggregators/yaml/read.js';
import { readTextFile, TextFileError } from '../flows/yaml-file.js';
import { type Played, playTranscript, printPlayed } from '../transcripts/play-transcript.js';
import { readTranscript, TranscriptError } from '../transcripts/read-transcript.js';
import {
  readTranscriptTenants,
  type TranscriptTenant,
  type TranscriptTenants,
} from '../transcripts/transcript-tenants.js';

const usage = `Usage: npm run -s ussd -- test DIR [--name Mlango]

Checks the flows in DIR (a folder as in FLOWS_DIR, or the folder of one flow) and the aggregators described in it.
Then plays each file of their transcripts/ in the service that its first line dials. The answer of a back end is a
line before the screen: ! pay → paid receipt=R-1 name="Amina Banda". An SMS is a line after it: sms | Paid: 250
--name: name of services without a name, as in APP_NAME
`;

/**
 * Plays the transcripts of a folder of flows. @returns the exit code: 0 all pass, 1 some fail, 2 invalid arguments.
 */
export function playTranscripts(args: readonly string[]): number {
  const read = readArgs(args);
  if (typeof read === 'string') {
    process.stderr.write(`${read}\n\n${usage}`);
    return 2;
  }
  const { folder, services } = read;
  const described = readDescriptions(folder, shippedAggregators());
  if (services.problems !== undefined || described.problems.length > 0) {
    const lines = [...(services.problems ?? []), ...described.problems].map((line) =>
      line.replaceAll(`${process.cwd()}/`, ''),
    );
    process.stdout.write(`${['This folder is not sound:', ...lines].join('\n  ')}\n`);
    return 1;
  }
  const found = services.folders.map(transcriptsIn);
  const shown = (file: string) => relative(process.cwd(), file) || '.';
  const skipped = [
    ...found.flatMap((one) => one.skipped).map((file) => `- ${shown(file)} is skipped: a transcript is a file *.txt`),
    ...services.folders
      .flatMap(earlierTranscripts)
      .map((folder) => `- ${shown(folder)} is skipped: no dial begins on an earlier version`),
  ];
  const played = found.flatMap(({ files }) => files).map((file) => ({ file, ...play(file, services.dialled) }));
  const sound = described.aggregators.map(
    ({ id, name }) => `✓ ${shown(join(folder, `${id}.aggregator.yaml`))}: ${name}`,
  );
  const lines = [...sound, ...skipped, ...played.map(({ file, ...one }) => printPlayed(shown(file), one))];
  if (played.length === 0) {
    const folders = found.map(({ folder }) => shown(folder)).join(', ');
    const remedy = `record one with npm run -s ussd -- --flows DIR --record "Title"`;
    process.stdout.write(`${[...lines, `There are no transcripts in ${folders}: ${remedy}`].join('\n')}\n`);
    return 1;
  }
  const right = played.filter(({ failed }) => failed === undefined).length;
  process.stdout.write(`${[...lines, `${right} of ${played.length} transcripts pass`].join('\n')}\n`);
  return right === played.length ? 0 : 1;
}

/** The tenants of the folder, or the reason why it cannot be read. */
function readArgs(args: readonly string[]): { folder: string; services: TranscriptTenants } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { name: { type: 'string', default: 'Mlango' } },
    });
    const [folder, ...surplus] = positionals;
    if (folder === undefined || surplus.length > 0) return 'Name one folder.';
    if (!existsSync(folder)) return `There is no folder "${folder}".`;
    return { folder, services: readTranscriptTenants(folder, values.name) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The transcripts of a flow, and other files in their folder. */
function transcriptsIn(flow: string) {
  const folder = join(flow, 'transcripts');
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const isTranscript = (name: string) => name.endsWith('.txt');
  const paths = (some: readonly string[]) => some.map((name) => join(folder, name));
  return {
    folder,
    files: paths(names.filter(isTranscript)),
    skipped: paths(names.filter((name) => !isTranscript(name) && !name.startsWith('.'))),
  };
}

/**
 * The transcript folders of earlier versions of a flow, `<name>@…`.
 */
function earlierTranscripts(flow: string): string[] {
  const names = readdirSync(dirname(flow)).filter((name) => name.startsWith(`${basename(flow)}@`));
  return names.map((name) => join(dirname(flow), name, 'transcripts')).filter((folder) => existsSync(folder));
}

function play(file: string, dialled: (serviceCode: string) => TranscriptTenant | undefined): Played {
  try {
    const text = readTextFile(file);
    const { title, exchanges } = readTranscript(text);
    const [{ line, typed } = { line: 1, typed: '' }] = exchanges;
    const service = dialled(typed);
    if (service !== undefined && file.startsWith(join(service.folder, '/')))
      return playTranscript(text, service.flow, service.facts);
    const reason =
      service === undefined ? 'no tenant has this code' : `this code reaches the flow "${basename(service.folder)}"`;
    return { title, failed: { line, typed, reason } };
  } catch (error) {
    if (!(error instanceof TranscriptError || error instanceof TextFileError)) throw error;
    const typed = error instanceof TranscriptError ? error.words : '';
    return { title: 'cannot be read', failed: { line: error.line, typed, reason: error.message } };
  }
}
