import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPromtool } from '@mlango/test-services/find-promtool';
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

const program = findPromtool();

/** Whether rules can be judged here. */
export const hasPromtool = program !== undefined;

export function readRules(): RulesFile {
  return parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as RulesFile;
}

/** What it says, and whether it is content. */
export function promtool(
  args: readonly string[],
  cwd = folder,
): { readonly isContent: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, { cwd, encoding: 'utf8' });
  return { isContent: status === 0, said: `${stdout}${stderr}` };
}
