import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const compose = read('docker-compose.yml');
const example = new Map(
  [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

/** `${NAME…}` with what follows the name; `$$` is a dollar sign for the container. */
const uses = [...compose.matchAll(/(?<!\$)\$\{([A-Z_]+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({
  name,
  rest,
}));
const required = new Set(uses.filter(({ rest }) => rest.startsWith(':?')).map(({ name }) => name));
const secretName = /PASSWORD|TOKEN|KEY|SEED|SECRET/;

describe('.env.example', () => {
  it('names every variable of the compose file, and no other', () => {
    expect(new Set(example.keys())).toEqual(new Set(uses.map(({ name }) => name)));
  });

  it('has no value for a secret, so that an unchanged copy starts nothing', () => {
    const secrets = [...example.keys()].filter((name) => secretName.test(name));
    expect(secrets.length).toBeGreaterThan(5);
    for (const name of secrets) {
      expect(required, name).toContain(name);
      expect(example.get(name), name).toBe('');
    }
  });

  it('says the same defaults as the compose file', () => {
    for (const { name, rest } of uses.filter((use) => use.rest.startsWith(':-'))) {
      expect(`${name}=${rest.slice(2)}`).toBe(`${name}=${example.get(name)}`);
    }
  });
});

describe('docker-compose.yml', () => {
  it('publishes the three doors and the playground alone, on loopback unless told otherwise', () => {
    const published = [
      ...compose.matchAll(/^ +ports: \['\$\{BIND_ADDRESS:-127\.0\.0\.1\}:\$\{([A-Z]+)_PORT:-\d+\}:\d+'\]$/gm),
    ];
    expect(published.map(([, door]) => door)).toEqual(['USSD', 'ORACLE', 'PROTO', 'PLAYGROUND']);
    expect(compose.match(/ports:/g)).toHaveLength(4);
  });

  it('starts no playground that nobody has asked for, and no phone in it', () => {
    expect(compose).toMatch(/^ {2}playground:\n(?: {4}.*\n)*? {4}profiles: \[playground\]$/m);
    expect(example.get('HANDSET')).toBe('false');
  });

  it('gives no secret a value of its own', () => {
    for (const [line, name = ''] of compose.matchAll(/^ +([A-Z_]+): .*$/gm)) {
      if (secretName.test(name)) expect(line).toMatch(/\$\{[A-Z_]+:\?/);
    }
  });
});
