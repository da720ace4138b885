import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPrometheus } from '@mlango/test-services/find-prometheus';
import { parse } from 'yaml';

export const folder = import.meta.dirname;

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export interface RulesFile {
  readonly groups: { readonly name: string; readonly rules: readonly AlertRule[] }[];
}

const program = findPrometheus('promtool');

/** Whether rules can be judged here. */
export const hasPromtool = program !== undefined;

export function readRules(): RulesFile {
  return parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as RulesFile;
}

interface Judgement {
  readonly isContent: boolean;
  readonly said: string;
}

/** The output of promtool for files of this folder, or of another one. */
export function promtool(args: readonly string[], cwd = folder): Judgement {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, { cwd, encoding: 'utf8' });
  return { isContent: status === 0, said: `${stdout}${stderr}` };
}

/** The output of promtool for temporary files. JSON is YAML. */
export function promtoolOn(files: Readonly<Record<string, string>>, args: readonly string[]): Judgement {
  const scratch = mkdtempSync(join(tmpdir(), 'mlango-promtool-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(scratch, name), text);
    return promtool(args, scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
