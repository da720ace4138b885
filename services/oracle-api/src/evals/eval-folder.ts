import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Held, holdDialogue } from './hold-dialogue.js';
import type { OracleAddress } from './oracle-client.js';
import { readDialogue } from './read-dialogue.js';
import { htmlReport, printHeld } from './report.js';

export interface EvalOptions {
  /** Contains the dialogues, `*.dialogue.txt`. */
  readonly folder: string;
  readonly oracle: OracleAddress;
  /** Folder for `report.html` and `report.json`; undefined for no reports. */
  readonly reports?: string | undefined;
  readonly print: (text: string) => void;
}

/**
 * Runs each dialogue of a folder, one after another, in the order of their names. Returns whether all expectations hold. All
 * dialogues are parsed before the first one runs.
 * @throws {Error} for a folder without dialogues, and for an unreadable one, with its file and line.
 */
export async function evalFolder({ folder, oracle, reports, print }: EvalOptions): Promise<boolean> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.dialogue.txt')).toSorted();
  if (files.length === 0) throw new Error(`${folder}: there is no *.dialogue.txt`);
  const dialogues = await Promise.all(files.map((file) => dialogueIn(folder, file)));
  const all: Held[] = [];
  for (const { file, dialogue } of dialogues) {
    const held = await holdDialogue(oracle, file, dialogue);
    print(printHeld(held));
    all.push(held);
  }
  const good = all.filter(({ isGood }) => isGood).length;
  print(`${good} of ${all.length} dialogues hold`);
  if (reports !== undefined) {
    await mkdir(reports, { recursive: true });
    await writeFile(
      join(reports, 'report.json'),
      `${JSON.stringify({ good, all: all.length, dialogues: all }, null, 2)}\n`,
    );
    await writeFile(join(reports, 'report.html'), htmlReport(all));
  }
  return good === all.length;
}

async function dialogueIn(folder: string, file: string) {
  try {
    return { file, dialogue: readDialogue(await readFile(join(folder, file), 'utf8')) };
  } catch (error) {
    throw new Error(`${file}, ${error instanceof Error ? error.message : 'cannot be read'}`, { cause: error });
  }
}
