import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFlow } from '../flows/build-flow.js';
import { readFlow } from '../flows/read-flow.js';
import { type Played, playTranscript } from '../terminal/play-transcript.js';
import { printPlayed } from '../terminal/print-played.js';

const usage = `Usage: pnpm ussd test DIR [--name Mlango]

Checks the flow in DIR (its flow.yaml, or that of DIR/default), and plays every dialogue in its transcripts/. What others are
asked for is answered by the transcript, in a line before the screen: ! pay → paid receipt=R-1 name="Amina Banda"
--name is the name of the service, as in APP_NAME.
`;

/** Plays the dialogues of a flow. @returns the exit code: 0 all go as they are written, 1 some do not, 2 not understood. */
export function testFlows(args: readonly string[]): number {
  const asked = readArgs(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n\n${usage}`);
    return 2;
  }
  const { folder, facts } = asked;
  const read = readFlow(folder, facts);
  if (read.problems !== undefined) {
    const lines = read.problems.map(({ file, line, says }) => `${join(shown(folder), file)}:${line} ${says}`);
    process.stdout.write(`${['The flow is not sound:', ...lines].join('\n  ')}\n`);
    return 1;
  }
  const { flow } = buildFlow(read.source);
  const transcripts = join(folder, 'transcripts');
  const files = existsSync(transcripts) ? readdirSync(transcripts).filter((name) => name.endsWith('.txt')) : [];
  const played = files.toSorted().map((file): { readonly file: string; readonly played: Played } => {
    const path = join(transcripts, file);
    return { file: shown(path), played: play(readFileSync(path, 'utf8')) };
  });
  const right = played.filter((one) => one.played.failed === undefined).length;
  const sum = `${right} of ${played.length} dialogues go as they are written`;
  process.stdout.write(`${[...played.map((one) => printPlayed(one.file, one.played)), sum].join('\n')}\n`);
  return right === played.length && right > 0 ? 0 : 1;

  function play(text: string): Played {
    try {
      return playTranscript(text, flow, facts);
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      return { title: 'cannot be read', failed: { line: 1, typed: '', says } };
    }
  }
}

/** The folder of the flow and what the service fills in, or why that cannot be read. */
function readArgs(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { name: { type: 'string', default: 'Mlango' } },
    });
    const [given, ...surplus] = positionals;
    if (given === undefined || surplus.length > 0) return 'Name one folder.';
    const file = [join(given, 'flow.yaml'), join(given, 'default/flow.yaml')].find((path) => existsSync(path));
    if (file === undefined) return `There is no flow in "${given}".`;
    return { folder: resolve(dirname(file)), facts: { appName: values.name } };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function shown(path: string): string {
  return relative(process.cwd(), path);
}
