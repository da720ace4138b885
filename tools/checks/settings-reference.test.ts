import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featureSettings } from '../../services/oracle-api/src/deps/plugin-settings.js';
import { settings as oracle } from '../../services/oracle-api/src/environment-variables.js';
import { attachmentSettings } from '../../services/oracle-api/src/plugins/attachments/settings.js';
import { callSettings } from '../../services/oracle-api/src/plugins/calls/settings.js';
import { chainSettings } from '../../services/oracle-api/src/plugins/chain/settings.js';
import { creditSettings } from '../../services/oracle-api/src/plugins/credits/settings.js';
import { feedbackSettings } from '../../services/oracle-api/src/plugins/feedback/settings.js';
import { mcpSettings } from '../../services/oracle-api/src/plugins/mcp/settings.js';
import { slackSettings } from '../../services/oracle-api/src/plugins/slack/settings.js';
import { settings as gateway } from '../../services/proto-gateway/src/config.js';
import { settings as ussd } from '../../services/ussd-gateway/src/environment-variables.js';
import { repositoryRoot } from './project-files.mjs';

/** The part of a zod schema that a table needs. */
interface Field {
  meta(): { readonly description?: string | undefined; readonly shownDefault?: unknown } | undefined;
  safeParse(value: undefined): { readonly data?: unknown };
}
type Shape = Readonly<Record<string, Field>>;
type Pages = Readonly<Record<string, Readonly<Record<string, Shape>>>>;

const plugins = [
  featureSettings,
  chainSettings,
  mcpSettings,
  creditSettings,
  slackSettings,
  callSettings,
  feedbackSettings,
];

/** Pages with tables of settings, and the groups of variables that each of them lists. */
const pages: Pages = {
  'services/oracle-api/README.md': {
    ...oracle,
    plugins: Object.assign({}, oracle.plugins, ...plugins.map(({ shape }) => shape)) as Shape,
  },
  'services/proto-gateway/README.md': gateway,
  'services/ussd-gateway/README.md': ussd,
  'services/oracle-api/src/plugins/attachments/README.md': { attachments: attachmentSettings.shape },
};

/** A place in a page: `<!-- settings: name -->`, the table, `<!-- end of settings -->`. */
const place = /<!-- settings: (\w+) -->\n.*?<!-- end of settings -->/gs;

describe.each(Object.entries(pages))('%s', (file, groups) => {
  const path = join(repositoryRoot, file);
  const page = readFileSync(path, 'utf8');

  it('has a table for each group of variables', () => {
    expect(new Set([...page.matchAll(place)].map(([, name]) => name))).toEqual(new Set(Object.keys(groups)));
  });

  it('lists the variables as the configuration declares them', async () => {
    const listed = new Set(file.includes('/plugins/') ? Object.keys(Object.assign({}, ...Object.values(oracle))) : []);
    const written = page.replace(place, (_, name: string) => {
      const rows = Object.entries(groups[name] ?? {}).filter(([variable]) => !listed.has(variable));
      for (const [variable] of rows) listed.add(variable);
      return `<!-- settings: ${name} -->\n\n${tableOf(rows)}\n\n<!-- end of settings -->`;
    });
    await expect(written).toMatchFileSnapshot(path);
  });
});

function tableOf(rows: readonly (readonly [string, Field])[]): string {
  const lines = rows.map(([variable, field]) => {
    const { description, shownDefault } = field.meta() ?? {};
    if (description === undefined) throw new Error(`${variable} has no description`);
    return `| \`${variable}\` | ${typeof shownDefault === 'string' ? shownDefault : defaultOf(field)} | ${cell(description)} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...lines].join('\n').replaceAll('|  |', '| |');
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/** The default as an operator would write it. */
function defaultOf(field: Field): string {
  const { data } = field.safeParse(undefined);
  const text = Array.isArray(data) ? data.join() : data;
  const isShown = typeof text === 'number' || typeof text === 'boolean' || (typeof text === 'string' && text !== '');
  return isShown ? `\`${text}\`` : '';
}
