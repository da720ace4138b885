import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** How many numbered stops a road may have. */
const mostStops = 7;

interface Stop {
  /** `3`, or `3a` for a side call of the third stop. */
  readonly number: string;
  readonly file: string;
  /** The function in this file that the stop before it calls; `table.transcoder.match` for a method of a member that the file declares. */
  readonly verb: string;
}

interface Road {
  readonly name: string;
  /** The folder that contains the files. */
  readonly folder: string;
  readonly stops: readonly Stop[];
}

/** A heading with a folder in brackets, and the table that follows it. */
function roadsIn(text: string): Road[] {
  return [...text.matchAll(/^### (.+) \(`([^`]+)\/`\)\n\n((?:\|.*\n)+)/gm)].map(
    ([, name = '', folder = '', table = '']) => ({
      name,
      folder,
      stops: [...table.matchAll(/^\| (\d[a-z]?) \| `([^`]+)` \| `([\w.]+)` \|/gm)].map(
        ([, number = '', file = '', verb = '']) => ({ number, file, verb }),
      ),
    }),
  );
}

/** The differences between a road and the code. `read` returns a file below the road's folder, undefined if there is none. */
function problemsOf({ stops }: Road, read: (file: string) => string | undefined): string[] {
  const numbered = stops.filter(({ number }) => /^\d$/.test(number));
  const problems = numbered.length > mostStops ? [`${numbered.length} stops are more than ${mostStops}`] : [];
  for (const stop of stops) {
    const { number, file, verb } = stop;
    const text = read(file);
    const before = callerNumber(number);
    // The first stop is mounted by the app of a service, or exported by a package.
    if (before === '0' && isExported(file, read)) continue;
    const caller = before === '0' ? { file: 'app.ts' } : stops.find((other) => other.number === before);
    if (text === undefined) problems.push(`${file}: there is no such file`);
    else if (!verb.split('.').some((name) => hasWord(text, name))) problems.push(`${file}: knows no ${verb}`);
    if (caller === undefined) problems.push(`${file}: there is no stop ${before}`);
    else if (!importsOf(caller.file, read(caller.file) ?? '').includes(file)) {
      problems.push(`${caller.file} does not import ${file}`);
    } else if (!hasWord(read(caller.file) ?? '', verb)) {
      problems.push(`${caller.file} does not call ${verb} of ${file}`);
    }
  }
  return problems;
}

function hasWord(text: string, name: string): boolean {
  return new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`).test(text);
}

/** The stop that calls a stop: `3` for `3a`, `2` for `3`, `0` for the first. */
function callerNumber(number: string): string {
  return /[a-z]$/.test(number) ? number.slice(0, 1) : String(Number(number) - 1);
}

/** Whether a file is an entry point of a package, which has no app, or exported again by one. */
function isExported(file: string, read: (file: string) => string | undefined): boolean {
  if (read('app.ts') !== undefined) return false;
  const entries = [...(read('../package.json') ?? '').matchAll(/"\.\/src\/([^"]+)"/g)].map(([, entry = '']) => entry);
  return entries.some((entry) => entry === file || importsOf(entry, read(entry) ?? '').includes(file));
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/\bfrom '(\.[^']+)\.js'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), `${path}.ts`)),
  );
}

const roads = roadsIn(readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8'));

/** The files that a query passes, and how many they may be. */
const queryRoads = ['The road of a query', 'The road of a call', 'The road of a call to one node'];
const mostQueryFiles = 22;

describe('the roads in ARCHITECTURE.md', () => {
  it('exist: a message, its events, a query, a call, a token', () => {
    expect(roads.map(({ name, stops }) => [name, stops.length > 2])).toEqual(
      expect.arrayContaining([
        ['The road of a message', true],
        ['The way back of its events', true],
        ['The road of a query', true],
        ['The road of a call', true],
        ['The road of a call to one node', true],
        ['The road of a token', true],
      ]),
    );
  });

  it(`lead a query to its frames through at most ${mostQueryFiles} files`, () => {
    const files = roads
      .filter(({ name }) => queryRoads.includes(name))
      .flatMap(({ folder, stops }) => stops.map(({ file }) => `${folder}/${file}`));
    expect(new Set(files).size).toBeGreaterThan(10);
    expect(new Set(files).size).toBeLessThanOrEqual(mostQueryFiles);
  });

  it.each(roads.map((road) => [road.name, road] as const))(
    '%s: each file imports the next, and calls it',
    (_, road) => {
      const read = (file: string) => {
        const path = join(repository, road.folder, file);
        return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      };
      expect(problemsOf(road, read)).toEqual([]);
    },
  );

  it('are reported if a file is missing, is not imported, is not called, or is one too many', () => {
    const files: Readonly<Record<string, string>> = {
      'app.ts': "import { visits } from './routes/visits.js';\nvisits();",
      'routes/visits.ts': "import { keep } from '../store.js';\nexport const visits = 1;",
      'store.ts': 'export const keep = 1;',
      'apart.ts': 'export const lone = 1;',
    };
    const row = (number: string, file: string, verb: string) => `| ${number} | \`${file}\` | \`${verb}\` | a | b |\n`;
    const rows = (...lines: string[]) =>
      roadsIn(`### A (\`src/\`)\n\n| Stop | File |\n| --- | --- |\n${lines.join('')}`);
    const problems = (...lines: string[]) => rows(...lines).flatMap((road) => problemsOf(road, (file) => files[file]));
    const first = row('1', 'routes/visits.ts', 'visits');
    expect(problems(first, row('2', 'store.ts', 'keep'))).toEqual([]);
    expect(problems(first, row('1a', 'store.ts', 'keep'))).toEqual([]);
    expect(problems(first, row('2', 'apart.ts', 'lone'))).toEqual(['routes/visits.ts does not import apart.ts']);
    expect(problems(first, row('2', 'store.ts', 'drop'))).toEqual([
      'store.ts: knows no drop',
      'routes/visits.ts does not call drop of store.ts',
    ]);
    expect(problems(first, row('2', 'gone.ts', 'go'))[0]).toBe('gone.ts: there is no such file');
    const inPackage = { '../package.json': '{ "exports": "./src/store.ts" }', 'store.ts': files['store.ts'] };
    const packageProblems = (file: string) =>
      rows(row('1', file, 'keep')).flatMap((road) => problemsOf(road, (name) => inPackage[name as 'store.ts']));
    expect(packageProblems('store.ts')).toEqual([]);
    expect(packageProblems('other.ts')).toContain('app.ts does not import other.ts');
    const long = Array.from({ length: 8 }, (_, at) => row(String(at + 1), 'store.ts', 'keep'));
    expect(problems(...long)[0]).toBe('8 stops are more than 7');
  });
});
