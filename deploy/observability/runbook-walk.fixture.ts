import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seriesIn } from './metric-names.fixture.js';
import { folder } from './promtool.fixture.js';
import type { Door } from './recording.fixture.js';

const root = join(folder, '../..');
const runbook = readFileSync(join(root, 'docs/operations/runbook.md'), 'utf8');
const sections = new Map(runbook.split('\n## ').map((text) => [text.slice(0, text.indexOf('\n')), text]));
const everywhere = ['deploy/k8s/base', 'packages/service-kit/src', 'packages/schemas/src'];

/** The metrics, settings and commands that a section names. */
function namedIn(alert: string): readonly string[] {
  const section = sections.get(alert);
  if (section === undefined) throw new Error(`the runbook has no section ${alert}`);
  return [...new Set([...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))];
}

/** The place of a fault. */
export interface Scene {
  readonly door: Door & { readonly output: () => string };
  readonly ask?: ((sql: string) => Promise<readonly unknown[]>) | undefined;
  /** Options that let shell programs find a stopped dependency. */
  readonly redisUrl?: string | undefined;
  readonly databaseUrl?: string | undefined;
}

/** Runs every command and looks up every name in the section of an alert, and returns those without a result. */
export async function walk(alert: string, scene: Scene): Promise<string[]> {
  const { door } = scene;
  const metrics = await fetch(`${door.address}/metrics`).then(
    (reply) => reply.text(),
    () => '',
  );
  const isDown = metrics === '';
  const shows = async (name: string): Promise<boolean> => {
    if (name.startsWith('select ')) return scene.ask !== undefined && (await scene.ask(name)).length > 0;
    const [, method, path] = /^(GET|POST) (\/\S+)$/.exec(name) ?? [];
    if (path !== undefined) return (await fetch(`${door.address}${path}`, { method: method ?? '' })).status !== 404;
    if (/^(redis-cli|info) /.test(name))
      return runs('redis-cli', ['-u', scene.redisUrl ?? '', ...name.replace('redis-cli ', '').split(' ')]);
    if (name.startsWith('pg_isready')) return runs('pg_isready', ['--dbname', scene.databaseUrl ?? '']);
    const series = /^[a-z]+_[a-z0-9_]+(\{|$)|\(/.test(name) ? seriesIn(name) : [];
    // A killed process is represented by its last scrape.
    if (series.length > 0 && series.some((one) => one.includes('_') && metrics.includes(`\n${one}`)))
      return series.every((one) => metrics.includes(`\n${one}`));
    return isDown || sections.has(name) || door.output().includes(name) || isIn(name, `services/${door.job}/src`);
  };
  const shown = await Promise.all(namedIn(alert).map(async (name) => ((await shows(name)) ? [] : [name])));
  return shown.flat();
}

/** Whether a shell program prints a result, if the machine has it. */
function runs(program: string, args: readonly string[]): boolean {
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 });
  return error !== undefined || stdout !== '' || stderr !== '';
}

const texts = new Map<string, string>();

/** Whether the name occurs in the sources of a service: settings, replies, log messages and label values. */
function isIn(name: string, source: string): boolean {
  const pattern = name.replace(/^END |…$/g, '').split('<ID>')[0] ?? '';
  return [source, ...everywhere].some((place) => textOf(place).includes(pattern));
}

function textOf(place: string): string {
  const known = texts.get(place);
  if (known !== undefined) return known;
  const files = readdirSync(join(root, place), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(ts|yaml)$/.test(file) && !/\.(test|fixture|contract)\.ts$/.test(file));
  const text = sources.map((file) => readFileSync(join(root, place, file), 'utf8')).join('\n');
  texts.set(place, text);
  return text;
}
