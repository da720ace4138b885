import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type PaperService, readPaperServices } from '../terminal/paper-services.js';
import { type Played, playTranscript } from '../terminal/play-transcript.js';
import { printPlayed } from '../terminal/print-played.js';
import { readTranscript } from '../terminal/read-transcript.js';

const usage = `Usage: npm run -s ussd -- test DIR [--name Mlango]

Checks the flows in DIR, a folder as FLOWS_DIR names one or that of one flow, and plays every dialogue in their transcripts/, each in the
service that its first line dials. What others are asked for is answered by the transcript, in a line before the screen:
! pay → paid receipt=R-1 name="Amina Banda". An SMS stands after it: sms | Paid: 250
--name is the name of services that have none of their own, as in APP_NAME.
`;

/** Plays the dialogues of a folder of flows. @returns the exit code: 0 all go as they are written, 1 some do not, 2 not understood. */
export function testFlows(args: readonly string[]): number {
  const services = readArgs(args);
  if (typeof services === 'string') {
    process.stderr.write(`${services}\n\n${usage}`);
    return 2;
  }
  if (services.problems !== undefined) {
    const lines = services.problems.map((line) => line.replaceAll(`${process.cwd()}/`, ''));
    process.stdout.write(`${['The flows are not sound:', ...lines].join('\n  ')}\n`);
    return 1;
  }
  const played = services.folders.flatMap(transcriptsIn).map((file) => ({ file, ...play(file, services.dialled) }));
  const right = played.filter(({ failed }) => failed === undefined).length;
  const sum = `${right} of ${played.length} dialogues go as they are written`;
  const lines = played.map(({ file, ...one }) => printPlayed(relative(process.cwd(), file), one));
  process.stdout.write(`${[...lines, sum].join('\n')}\n`);
  return right === played.length && right > 0 ? 0 : 1;
}

/** What is dialled, or why that cannot be read. */
function readArgs(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { name: { type: 'string', default: 'Mlango' } },
    });
    const [given, ...surplus] = positionals;
    if (given === undefined || surplus.length > 0) return 'Name one folder.';
    return readPaperServices(given, values.name);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function transcriptsIn(flow: string): string[] {
  const folder = join(flow, 'transcripts');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.txt')) : [];
  return files.toSorted().map((file) => join(folder, file));
}

function play(file: string, dialled: (serviceCode: string) => PaperService | undefined): Played {
  try {
    const text = readFileSync(file, 'utf8');
    const { title, exchanges } = readTranscript(text);
    const [{ line, typed } = { line: 1, typed: '' }] = exchanges;
    const service = dialled(typed);
    if (service !== undefined && file.startsWith(join(service.folder, '/')))
      return playTranscript(text, service.flow, service.facts);
    const says =
      service === undefined ? 'this code reaches nobody' : `this code reaches the flow "${basename(service.folder)}"`;
    return { title, failed: { line, typed, says } };
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return { title: 'cannot be read', failed: { line: 1, typed: '', says } };
  }
}
