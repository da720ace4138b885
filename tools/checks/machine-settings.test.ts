import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const LOCKFILE = /(^|\/)(pnpm-lock\.yaml|package-lock\.json)$/;
const LARGEST_BYTES = 2 * 1024 * 1024;

/** Lines that must not be committed, and the files that may have them. */
const FORBIDDEN = {
  'a registry setting':
    /^\s*(?:@[\w-]+:)?registry\s*=|\b(?:npm|pnpm|yarn)_config_registry\s*=|--registry[= ]\S+|\b[\w.-]*(?:artifactory|nexus|verdaccio|jfrog)[\w.-]*\.[a-z]{2,}\b/i,
  'a path of one machine':
    /(?<![\w.~$}/-])\/(?:home|Users|root|work|mnt|media|private)\/[\w.-]+|\b[A-Za-z]:\\+Users\\+\w+|(?<![\w.~$}/-])\/tmp\/[a-z]\w+/,
  'a conflict of a merge': /^(?:<{7}|>{7}|\|{7})(?: |$)/,
  'a private key or a token':
    /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bgh[pousr]_\w{36}|\bnpm_[A-Za-z0-9]{36}\b|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-\d+-\w+/,
};
/** Paths in a Dockerfile are those of its image. */
const mayHavePaths = /Dockerfile/;

function textLines(file: string): string[] {
  const bytes = readFileSync(join(repositoryRoot, file));
  return bytes.length > LARGEST_BYTES || bytes.includes(0) ? [] : bytes.toString('utf8').split('\n');
}

function findings(file: string, lines: readonly string[]): string[] {
  const rules = Object.entries(FORBIDDEN).filter(([name]) => !(name.includes('path') && mayHavePaths.test(file)));
  return lines.flatMap((line, index) =>
    rules.filter(([, pattern]) => pattern.test(line)).map(([name]) => `${file}:${index + 1}: ${name}`),
  );
}

describe('committed files', () => {
  it('contain no setting of one machine and no secret', () => {
    const files = projectFiles().filter((file) => !LOCKFILE.test(file) && !file.startsWith('tools/checks/'));
    expect(files.flatMap((file) => findings(file, textLines(file)))).toEqual([]);
  });

  it('lock packages of the registry only, by integrity and without a host', () => {
    const hosts = projectFiles()
      .filter((file) => LOCKFILE.test(file))
      .flatMap((file) => textLines(file).filter((line) => /(?:\btarball: ?|"resolved": ?")\S+/.test(line)));
    const lockfile = readFileSync(join(repositoryRoot, 'pnpm-lock.yaml'), 'utf8');
    const resolutions = [...lockfile.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, resolution = '']) => resolution);
    expect(resolutions.length).toBeGreaterThan(100);
    expect([...hosts, ...resolutions.filter((one) => !/^\{integrity: [^\s,}]+\}$/.test(one))]).toEqual([]);
  });

  it.each([
    ['a registry setting', 'registry=https://packages.example.org/'],
    ['a path of one machine', 'cd /home/ada/mlango'],
    ['a conflict of a merge', `${'<'.repeat(7)} HEAD`],
    ['a private key or a token', '-----BEGIN PRIVATE KEY-----'],
  ])('are refused with %s', (name, line) => expect(findings('file', [line])).toEqual([`file:1: ${name}`]));
});
