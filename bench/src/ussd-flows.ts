import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shipped = fileURLToPath(new URL('../../services/ussd-gateway/flows/default/', import.meta.url));

/** The files of a flow, by their names in its folder. */
export type FlowFiles = Readonly<Record<string, string>>;

/** The flow that the service has of its own. */
export function shippedFlow(): FlowFiles {
  const names = ['flow.yaml', 'texts/en.yaml', 'texts/sw.yaml', 'texts/fr.yaml'];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(shipped, name), 'utf8')]));
}

/** A tree of so many menus, three ways on from each, in two languages. */
export function largeFlow(screens: number): FlowFiles {
  const menus = Array.from({ length: screens - 1 }, (_, at) => {
    const ways = [1, 2, 3].map((key) => ({ key, to: at * 3 + key })).filter(({ to }) => to < screens - 1);
    const options = ways.map(({ key, to }) => `      - { key: ${key}, label: way${to}, to: s${to} }\n`);
    const onward = options.length === 0 ? '' : `    options:\n${options.join('')}`;
    const back = at === 0 ? '' : `    back: s${Math.floor((at - 1) / 3)}\n`;
    return `  s${at}:\n    lines: [text${at}]\n${onward}${back}`;
  });
  const head =
    'version: 1\nstart: s0\nexit: bye\ndefaultLanguage: en\nscreens:\n  bye: { closes: true, lines: [bye] }\n';
  const engine = ['back: Back', 'more: More', 'previous: Previous', 'wrongChoice: Wrong choice', 'bye: Goodbye'];
  const own = menus.flatMap((_, at) => [
    `text${at}: Screen ${at} of many`,
    ...(at === 0 ? [] : [`way${at}: To ${at}`]),
  ]);
  const texts = `${[...engine, ...own].join('\n')}\n`;
  return { 'flow.yaml': head + menus.join(''), 'texts/en.yaml': texts, 'texts/sw.yaml': texts };
}

export function writeFlow(folder: string, files: FlowFiles): void {
  mkdirSync(join(folder, 'texts'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
