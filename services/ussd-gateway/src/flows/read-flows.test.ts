import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFlows } from '../tenants/load-flows.fixture.js';
import { shippedFlows } from './read-flow.js';

const facts = { appName: 'Mlango' };

describe('a folder of flows', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ussd-flows-'));
    cpSync(shippedFlows, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const earlier = (version: number) => {
    cpSync(join(folder, 'default'), join(folder, 'default@before'), { recursive: true });
    const file = join(folder, 'default@before/flow.yaml');
    writeFileSync(
      file,
      `start: preMenu\nexit: closed\ndefaultLanguage: en\nversion: ${version}\nscreens:\n  closed: { closes: true, lines: [welcome] }\n`,
    );
  };

  it('may have several versions of one flow, and dials begin on the unmarked one', () => {
    cpSync(join(folder, 'default'), join(folder, 'default@1'), { recursive: true });
    renameSync(join(folder, 'default@1/flow.yaml'), join(folder, 'default@1/now.yaml'));
    expect(() => loadFlows(folder, facts)).toThrow('default@1/flow.yaml:1 is missing');
    renameSync(join(folder, 'default@1/now.yaml'), join(folder, 'default@1/flow.yaml'));
    expect(() => loadFlows(folder, facts)).toThrow('version 2 of the flow "default" is there twice');
  });

  it('with an unsound earlier version is refused', () => {
    earlier(1);
    expect(() => loadFlows(folder, facts)).toThrow(
      'default@before/flow.yaml:1 start: "preMenu" is not a menu of this flow',
    );
  });

  it('with an unknown webhook is refused if the webhooks are known', () => {
    const paying = fileURLToPath(new URL('../../../../examples/mobile-money/flows', import.meta.url));
    const description = 'is no webhook of this service: WEBHOOKS has other';
    expect(() => loadFlows(paying, facts, { webhooks: ['other'], messages: true, oracle: false })).toThrow(
      `flow.yaml:21 operations.pay.webhook: "mobileMoney" ${description}`,
    );
    const webhooks = ['mobileMoney'];
    for (const offered of [undefined, { webhooks, messages: true, oracle: false }])
      expect(loadFlows(paying, facts, offered)).toHaveLength(1);
    expect(() => loadFlows(paying, facts, { webhooks, messages: false, oracle: false })).toThrow(
      'flow.yaml:29 operations.smsReceipt.connector: no provider sends messages here: MESSAGES is not set',
    );
  });

  it('with an oracle act is refused if there is known to be no oracle', () => {
    const asking = fileURLToPath(new URL('../../../../examples/ask-by-phone/flows', import.meta.url));
    expect(() => loadFlows(asking, facts, { webhooks: [], messages: true, oracle: false })).toThrow(
      'flow.yaml:19 question: "askOracle" has no oracle here: ORACLE_URL is not set',
    );
    for (const offered of [undefined, { webhooks: [], messages: true, oracle: true }])
      expect(loadFlows(asking, facts, offered)).toHaveLength(1);
  });

  it('with a flow that no dial reaches is refused', () => {
    cpSync(join(folder, 'default'), join(folder, 'shop'), { recursive: true });
    expect(() => loadFlows(folder, facts)).toThrow('shop: no dial leads here');
  });
});
