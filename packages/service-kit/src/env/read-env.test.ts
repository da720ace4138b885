import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { choice, cidrs, flag, integer, list, origins, port, secret, url } from './fields.js';
import { EnvError, readEnv } from './read-env.js';

const schema = z.object({
  PORT: port(3000),
  DEBUG: flag(false),
  MODE: choice(['a', 'b'], 'a'),
  LIMIT: integer({ default: 5, min: 1, max: 10 }),
  NAMES: list(),
  RANGES: cidrs(['10.0.0.0/8']),
  TARGET: url({ protocols: ['https:'] }),
  TOKEN: secret({ minLength: 8 }),
});

function problemsOf(read: () => unknown): Record<string, string> {
  try {
    read();
  } catch (error) {
    if (error instanceof EnvError) return Object.fromEntries(error.problems.map((p) => [p.variable, p.message]));
  }
  return {};
}

function fileWith(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'env-')), 'value');
  writeFileSync(path, content);
  return path;
}

describe('readEnv', () => {
  it('fills defaults, and counts an empty value as unset', () => {
    expect(readEnv(schema, { PORT: '', MODE: '' })).toEqual({
      PORT: 3000,
      DEBUG: false,
      MODE: 'a',
      LIMIT: 5,
      NAMES: [],
      RANGES: ['10.0.0.0/8'],
    });
  });

  it('reads every kind of value', () => {
    const config = readEnv(schema, {
      PORT: '8080',
      DEBUG: 'YES',
      MODE: 'b',
      LIMIT: '10',
      NAMES: ' x, y ,,z',
      RANGES: '127.0.0.1, fc00::/7',
      TARGET: 'https://example.org/x',
      TOKEN: 'long enough',
    });
    expect(config).toMatchObject({ PORT: 8080, DEBUG: true, MODE: 'b', LIMIT: 10, NAMES: ['x', 'y', 'z'] });
    expect(config.RANGES).toEqual(['127.0.0.1', 'fc00::/7']);
  });

  it('lists every problem at once, each with its variable, and never a value', () => {
    const source = {
      PORT: '70000',
      DEBUG: 'perhaps',
      MODE: 'c',
      LIMIT: '1.5',
      RANGES: '300.0.0.1',
      TARGET: 'ftp://example.org',
      TOKEN: 'short',
    };
    const problems = problemsOf(() => readEnv(schema, source));
    expect(Object.keys(problems).sort()).toEqual(['DEBUG', 'LIMIT', 'MODE', 'PORT', 'RANGES', 'TARGET', 'TOKEN']);
    expect(problems['TARGET']).toContain('https://');
    expect(JSON.stringify(problems)).not.toContain('short');
  });

  it.each(['1.2.3', '10', '0x7f.1', '10.0/8', '0177.0.0.1', '10.0.0.0/33', '10.0.0.0/', 'localhost'])(
    'rejects %s as an address, although some parsers accept it',
    (RANGES) => {
      const message = 'must be a comma-separated list of IP addresses or CIDR ranges';
      expect(problemsOf(() => readEnv(schema, { RANGES }))).toEqual({ RANGES: message });
    },
  );

  it.each(['0.0.0.0/0', '127.0.0.1, ::/0'])('rejects %s as a trusted proxy', (RANGES) => {
    expect(problemsOf(() => readEnv(schema, { RANGES }))).toEqual({ RANGES: 'must not name every address there is' });
  });

  it('accepts origins as browsers send them, and no others', () => {
    const services = z.object({ ORIGINS: origins() });
    const sent = ['https://app.example', 'http://127.0.0.1:3003', 'https://[::1]:8443', 'capacitor://localhost'];
    expect(readEnv(services, { ORIGINS: sent.join(', ') }).ORIGINS).toEqual(sent);
    expect(readEnv(services, {}).ORIGINS).toEqual([]);
    for (const never of [
      'app.example',
      'null',
      '*',
      'https://*.example',
      'https://app.example/',
      'https://app.example/path',
      'https://App.example',
      'https://app.example:443',
      'https://me@app.example',
      'mailto:me@app.example',
    ])
      expect(Object.keys(problemsOf(() => readEnv(services, { ORIGINS: never }))), never).toEqual(['ORIGINS']);
  });

  it('names the missing variable', () => {
    expect(problemsOf(() => readEnv(z.object({ KEY: z.string() }), {}))).toEqual({ KEY: 'is required' });
  });

  it('takes a value from the file named by X_FILE, without the line break at its end', () => {
    expect(readEnv(schema, { TOKEN_FILE: fileWith('from a file\n') }).TOKEN).toBe('from a file');
  });

  it.each([
    [{ TOKEN: 'given directly', TOKEN_FILE: fileWith('given by file') }, 'not both'],
    [
      { TOKEN_FILE: '/nowhere/at/all' },
      'TOKEN_FILE, /nowhere/at/all, cannot be read: there is no such file or folder (ENOENT)',
    ],
    // A secret in place of the name of its file.
    [{ TOKEN_FILE: 'aV+erySecret/Token==' }, 'named by TOKEN_FILE cannot be read'],
    [{ TOKEN_FILE: fileWith('\n') }, 'is empty'],
  ])('refuses an ambiguous, unreadable or empty file: %o', (source, reason) => {
    expect(problemsOf(() => readEnv(schema, source))['TOKEN']).toContain(reason);
  });

  it('refuses a weak secret in production, given directly or by file, together with the problems of rules', () => {
    const weak = 'x'.repeat(32);
    const rule = () => [{ variable: 'LIMIT', message: 'too high here' }];
    for (const input of [{ TOKEN: weak }, { TOKEN_FILE: fileWith(`${weak}\n`) }]) {
      for (const where of [{ NODE_ENV: 'production' }, { NODE_ENV_FILE: fileWith('production') }]) {
        const problems = problemsOf(() => readEnv(schema, { ...input, ...where }, [rule]));
        expect(problems).toEqual({
          LIMIT: 'too high here',
          TOKEN: expect.stringMatching(/^is one block repeated, which is too weak for production: `openssl rand/),
        });
      }
      expect(readEnv(schema, input).TOKEN).toBe(weak);
    }
  });

  it('runs the rules only on well-formed configurations, and reports their problems', () => {
    const rule = (config: { LIMIT: number }) =>
      config.LIMIT > 5 ? [{ variable: 'LIMIT', message: 'too high here' }] : [];
    expect(problemsOf(() => readEnv(schema, { LIMIT: '6' }, [rule]))).toEqual({ LIMIT: 'too high here' });
    expect(problemsOf(() => readEnv(schema, { LIMIT: 'x' }, [rule]))['LIMIT']).toContain('whole number');
  });

  it('throws only EnvError for any values', () => {
    const outcome = (source: Record<string, string>): unknown => {
      try {
        return readEnv(schema, source);
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(schema.shape)), fc.string()), (source) => {
        const result = outcome(source);
        expect(result instanceof EnvError || !(result instanceof Error)).toBe(true);
      }),
    );
  });
});
