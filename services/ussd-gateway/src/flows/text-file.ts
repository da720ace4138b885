import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Why a file cannot be read, and the line of that, from 1. */
export class TextFileError extends Error {
  readonly line: number;

  constructor(says: string, line = 1) {
    super(says);
    this.name = 'TextFileError';
    this.line = line;
  }
}

/**
 * The text of a UTF-8 file, without its byte order mark.
 *
 * @throws {TextFileError} for a file that is missing, has another encoding, or cannot be read.
 */
export function readTextFile(path: string): string {
  const bytes = bytesOf(path);
  const text = decoded(bytes);
  if (text?.includes('\0') === false) return text;
  // No byte of a longer UTF-8 sequence is a line break, so each line can be decoded alone.
  const lines = bytes.toString('latin1').split('\n');
  const wrong = lines.findIndex((line) => decoded(Buffer.from(line, 'latin1'))?.includes('\0') !== false);
  throw new TextFileError('is not UTF-8: save the file as UTF-8 in your editor', Math.max(wrong, 0) + 1);
}

/** The names of the YAML files of a folder in order, and those that look like YAML files and are not read. */
export function yamlFilesIn(folder: string): {
  readonly names: readonly string[];
  readonly misnamed: readonly string[];
} {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const isYaml = (name: string) => name.endsWith('.yaml');
  return { names: names.filter(isYaml), misnamed: names.filter((name) => !isYaml(name) && /\.ya?ml$/i.test(name)) };
}

/** What to do with a file of the wrong name. */
export function renameTo(name: string): string {
  return `is not read: rename it to ${name.replace(/\.ya?ml$/i, '.yaml')}`;
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code !== 'ENOENT') throw new TextFileError(`cannot be read: ${error.message}`);
    const name = basename(path);
    const { misnamed } = yamlFilesIn(dirname(path));
    const other = misnamed.find((one) => one.replace(/\.ya?ml$/i, '.yaml').toLowerCase() === name);
    throw new TextFileError(other === undefined ? 'is missing' : `is missing: rename ${other} to ${name}`);
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
