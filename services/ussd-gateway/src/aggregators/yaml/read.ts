import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import { readTextFile, renameTo, TextFileError, YamlFile, yamlFilesIn } from '../../flows/yaml-file.js';
import type { KnownAggregator } from '../adapter.js';
import { checkDescription } from './check.js';
import { compileDescription } from './compile.js';
import { aggregatorFile } from './description.js';

/** Descriptions of this package: `aggregators/`, relative to `src` and to `dist`. */
export const shippedDescriptions = fileURLToPath(new URL('../../../aggregators/', import.meta.url));

/** Aggregators of a folder, and all problems of its files, one line each with file and line. */
export interface DescriptionsRead {
  readonly aggregators: readonly KnownAggregator[];
  readonly problems: readonly string[];
}

const ending = '.aggregator.yaml';

/**
 * Reads each `<id>.aggregator.yaml` of a folder and ignores other files. An unreadable folder is a problem.
 *
 * @param others known aggregators: their ids and variables are taken.
 */
export function readDescriptions(folder: string, others: readonly KnownAggregator[]): DescriptionsRead {
  const files = filesOf(folder);
  if ('problem' in files) return { aggregators: [], problems: [files.problem] };
  const { names, misnamed } = files;
  const problems = misnamed
    .filter((name) => /\.aggregator\.ya?ml$/i.test(name))
    .map((name) => `${join(folder, name)}:1 ${renameTo(name)}`);
  const aggregators: KnownAggregator[] = [];
  for (const name of names.filter((one) => one.endsWith(ending))) {
    const read = readDescription(folder, name, [...others, ...aggregators]);
    if ('aggregator' in read) aggregators.push(read.aggregator);
    else problems.push(...read.problems);
  }
  return { aggregators, problems };
}

function filesOf(folder: string): ReturnType<typeof yamlFilesIn> | { readonly problem: string } {
  try {
    readdirSync(folder);
    return yamlFilesIn(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return { problem: `${resolve(folder)} cannot be read: ${systemReason(code)}` };
  }
}

type DescriptionRead = { readonly aggregator: KnownAggregator } | { readonly problems: readonly string[] };

function readDescription(folder: string, name: string, others: readonly KnownAggregator[]): DescriptionRead {
  const path = join(folder, name);
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    return { problems: [`${path}:${error.line} ${error.message}`] };
  }
  const file = new YamlFile(name, text, aggregatorFile);
  const description = file.value;
  if (description === undefined || file.problems.length > 0)
    return { problems: file.problems.map(({ line, description }) => `${path}:${line} ${description}`) };
  const id = name.slice(0, -ending.length);
  const aggregator: KnownAggregator = {
    id,
    name: description.name,
    caller: description.verify,
    make: compileDescription(id, description),
  };
  const found = [...checkDescription(id, description), ...takenBy(aggregator, others)];
  if (found.length === 0) return { aggregator };
  const printed = found.map(({ at, message }) => {
    const place = at.length === 0 ? '' : `${at.join('.')}: `;
    return `${path}:${file.lineOf(at)} ${place}${message}`;
  });
  return { problems: [...new Set(printed)] };
}

function takenBy({ id, caller }: KnownAggregator, others: readonly KnownAggregator[]) {
  const problems = others
    .filter((other) => other.id === id)
    .map(({ name }) => ({
      at: [] as string[],
      message: `/api/ussd/${id} is the path of ${name}: name the file otherwise`,
    }));
  for (const part of ['secret', 'addresses'] as const) {
    const owner = others.find(
      (other) => other.id !== id && caller[part] !== undefined && other.caller[part] === caller[part],
    );
    if (owner !== undefined)
      problems.push({
        at: ['verify', part],
        message: `${caller[part]} belongs to ${owner.name}: name another variable`,
      });
  }
  return problems;
}
