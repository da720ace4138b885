import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seriesIn } from './metric-names.fixture.js';
import { folder, promtoolOn, readRules } from './promtool.fixture.js';

const asked = new Set(readRules().groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => seriesIn(expr))));

export interface Door {
  /** The name of the service. */
  readonly job: string;
  readonly address: string;
}

/**
 * The scrapes of a process, as Prometheus would store them. Scrapes follow each other as fast as possible, and are evaluated as
 * if they were a minute apart: events between two of them count as events of one minute.
 */
export class Recording {
  readonly #series = new Map<string, (number | undefined)[]>();
  #looks = 0;

  async look({ job, address }: Door): Promise<void> {
    const text = await fetch(`${address}/metrics`).then(
      (reply) => reply.text(),
      () => undefined,
    );
    const place = `job="${job}",instance="a"`;
    this.#add(`up{${place}}`, text === undefined ? 0 : 1);
    for (const [, name = '', labels, value] of (text ?? '').matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm)) {
      if (asked.has(name)) this.#add(`${name}{${labels === undefined ? '' : `${labels},`}${place}}`, Number(value));
    }
    this.#looks += 1;
  }

  /** `as expected` if exactly these alerts fire after this many scrapes; else the output of Prometheus. */
  judge(expected: readonly { readonly afterLooks: number; readonly firing: readonly string[] }[]) {
    const input_series = [...this.#series].map(([series, values]) => ({
      series,
      values: Array.from({ length: this.#looks }, (_, at) => values[at] ?? '_').join(' '),
    }));
    const promql_expr_test = expected.map(({ afterLooks, firing }) => ({
      expr: 'max by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${afterLooks - 1}m`,
      exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
    }));
    const tests = [{ interval: '1m', input_series, promql_expr_test }];
    const judged = { rule_files: ['alerts.yml'], evaluation_interval: '1m', tests };
    const files = {
      'alerts.yml': readFileSync(join(folder, 'alerts.yml'), 'utf8'),
      'recording.yml': JSON.stringify(judged),
    };
    const { isContent, said } = promtoolOn(files, ['test', 'rules', 'recording.yml']);
    if (isContent) return 'as expected';
    // The series that changed between the scrapes explain the difference.
    const changed = input_series.filter(({ values }) => new Set(values.split(' ')).size > 1);
    return `${said}\n${changed.map(({ series, values }) => `${series}: ${values}`).join('\n')}`;
  }

  #add(series: string, value: number): void {
    const values = this.#series.get(series) ?? [];
    if (Number.isFinite(value)) values[this.#looks] = value;
    this.#series.set(series, values);
  }
}
