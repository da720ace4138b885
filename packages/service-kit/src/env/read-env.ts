import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { z } from 'zod';
import { issueText } from '../errors/issue-text.js';
import { systemCode, systemReason } from '../errors/system-reason.js';
import { weakSecrets } from './secret-strength.js';

/** Variable names to values, as `process.env` has them. */
export type EnvSource = Readonly<Record<string, string | undefined>>;

/** One variable that is missing, malformed or unsafe, with a remedy for the operator. */
export interface EnvProblem {
  readonly variable: string;
  readonly message: string;
}

/** A check over the whole configuration, for rules that need more than one variable. */
export type EnvRule<Config> = (config: Config) => readonly EnvProblem[];

/** Every problem of a configuration at once. The message names variables and reasons, never values. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
  readonly problems: readonly EnvProblem[];

  constructor(problems: readonly EnvProblem[]) {
    super(['The configuration is not usable:', ...problems.map((p) => `  ${p.variable}: ${p.message}`)].join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the variables a schema names. An empty value counts as unset, as in a compose file with `X=`.
 * `X_FILE` names a file that contains the value of `X`, without the line break at its end; giving both is a problem.
 *
 * @throws {EnvError} listing every problem of every variable, and, when each variable is well-formed, of every rule; and in
 * production every secret that is too weak.
 */
export function readEnv<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  source: EnvSource,
  rules: readonly EnvRule<z.output<z.ZodObject<Shape>>>[] = [],
): z.output<z.ZodObject<Shape>> {
  const problems: EnvProblem[] = [];
  const values: Record<string, string> = {};
  for (const variable of Object.keys(schema.shape)) {
    const value = readVariable(variable, source, problems);
    if (value !== undefined) values[variable] = value;
  }
  const named = new Set(problems.map((problem) => problem.variable));
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const variable = String(issue.path[0] ?? 'environment');
      if (!named.has(variable)) problems.push({ variable, message: describeIssue(issue, variable in values) });
    }
    throw new EnvError(problems);
  }
  if (problems.length === 0) problems.push(...rules.flatMap((rule) => rule(parsed.data)));
  if (readVariable('NODE_ENV', source, []) === 'production') {
    const known = new Set(problems.map((problem) => problem.variable));
    problems.push(...weakSecrets(schema.shape, parsed.data).filter(({ variable }) => !known.has(variable)));
  }
  if (problems.length > 0) throw new EnvError(problems);
  return parsed.data;
}

function readVariable(variable: string, source: EnvSource, problems: EnvProblem[]): string | undefined {
  const direct = source[variable] === '' ? undefined : source[variable];
  const file = source[`${variable}_FILE`];
  if (file === undefined || file === '') return direct;
  if (direct !== undefined) {
    problems.push({ variable, message: `give either ${variable} or ${variable}_FILE, not both` });
    return undefined;
  }
  try {
    const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (content !== '') return content;
    problems.push({ variable, message: `the file named by ${variable}_FILE${shown(file)} is empty` });
  } catch (error) {
    const reason = systemReason(systemCode(error) ?? 'unknown error');
    problems.push({ variable, message: `the file named by ${variable}_FILE${shown(file)} cannot be read: ${reason}` });
  }
  return undefined;
}

/** A path, unless it may be a secret in place of the name of its file. */
function shown(file: string): string {
  const isPath = isAbsolute(file) || /^\.{1,2}[\\/]/.test(file);
  return isPath ? `, ${file},` : '';
}

function describeIssue(issue: z.core.$ZodIssue, isSet: boolean): string {
  return isSet ? issueText(issue) : 'is required';
}
