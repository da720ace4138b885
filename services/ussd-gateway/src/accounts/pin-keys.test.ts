import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPinKeys } from './pin-keys.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let parent: string;
let dataDir: string;
const load = (configured?: string) => loadPinKeys({ configured, earlier: [], dataDir, logger });

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pin-keys-'));
  dataDir = join(parent, 'data');
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('the PIN key', () => {
  it('is the configured one if there is one, and no key file is created', () => {
    expect(load('ab'.repeat(32)).active.bytes).toEqual(Buffer.alloc(32, 0xab));
    expect(() => statSync(dataDir)).toThrow();
  });

  it('is otherwise created once and is the same after a restart', () => {
    const first = load();
    expect(load().active).toEqual(first.active);
    const other = join(parent, 'other');
    expect(loadPinKeys({ configured: undefined, earlier: [], dataDir: other, logger }).active).not.toEqual(
      first.active,
    );
  });

  it('is in a file that only its owner can read', () => {
    load();
    expect(statSync(join(dataDir, 'pin-encryption.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'pin-encryption.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  });
});
