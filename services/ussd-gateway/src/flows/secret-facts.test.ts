import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFlows } from '../tenants/load-flows.fixture.js';

const askByPhone = fileURLToPath(new URL('../../../../examples/ask-by-phone/flows', import.meta.url));
const facts = { appName: 'Mlango' };

describe('a secret fact', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ussd-flows-'));
    cpSync(askByPhone, folder, { recursive: true });
    file = join(folder, 'default/flow.yaml');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const lineOf = (text: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;
  const write = (...lines: readonly string[]) =>
    appendFileSync(file, `\noperations:\n  out:\n    ${lines.join('\n    ')}\n`);
  const webhook = (sends: string) =>
    write('connector: webhook', 'webhook: money', 'is: act', `sends: [${sends}]`, 'gives: { done: {} }');
  const message = (text: string) => {
    write('connector: message', 'text: sms');
    const texts = join(folder, 'default/texts');
    for (const name of readdirSync(texts)) appendFileSync(join(texts, name), `\nsms: '${text}'\n`);
  };

  it.each(['linkCode', 'answer'])('"%s" is printed by the example flow, which starts', (fact) => {
    expect(readFileSync(join(folder, 'default/texts/en.yaml'), 'utf8')).toContain(`{${fact}}`);
    expect(() => loadFlows(folder, facts)).not.toThrow();
  });

  it.each(['linkCode', 'answer'])('"%s" is refused in a webhook call, with its line', (fact) => {
    webhook(`minutes, ${fact}`);
    expect(() => loadFlows(folder, facts)).toThrow(
      new RegExp(`default/flow\\.yaml:${lineOf('sends: [')} .*"${fact}" is secret`),
    );
  });

  it.each(['linkCode', 'answer'])('"%s" is refused in the text of a message, with its line', (fact) => {
    message(`Code {${fact}}`);
    expect(() => loadFlows(folder, facts)).toThrow(
      new RegExp(`default/flow\\.yaml:${lineOf('text: sms')} .*"${fact}" is secret`),
    );
  });

  it('refuses no other fact, and is not secret in a flow without its operation', () => {
    const withoutLinks = readFileSync(file, 'utf8').replaceAll('do: askOracle', 'do: other');
    webhook('minutes');
    expect(() => loadFlows(folder, facts)).not.toThrow('is secret');
    writeFileSync(file, withoutLinks);
    webhook('answer');
    expect(() => loadFlows(folder, facts)).not.toThrow(/"answer" is secret/);
  });
});
