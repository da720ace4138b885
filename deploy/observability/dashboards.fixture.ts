import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './promtool.fixture.js';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: Place;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const place = join(folder, 'grafana/dashboards');

export const dashboards = readdirSync(place).map(
  (name) => JSON.parse(readFileSync(join(place, name), 'utf8')) as Dashboard,
);

/** The expression of each panel. */
export const queries = dashboards.flatMap(({ title, panels }) =>
  panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ dashboard: title, panel: panel.title, expr }))),
);

const runbook = readFileSync(join(folder, '../../docs/operations/runbook.md'), 'utf8');

/** The runbook's questions of an operator, each with the panel that answers it. */
export const questions = [...runbook.matchAll(/^\| (.+\?) \| (Mlango: .+) \| (.+) \|$/gm)].map(
  ([, question = '', dashboard = '', panel = '']) => ({ question, dashboard, panel }),
);
