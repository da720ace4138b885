import { describe, expect, it } from 'vitest';
import { testPlugin } from '../api/plugin.fixture.js';
import type { OraclePlugin } from '../api/plugin.js';
import { type Features, resolveFeatures } from './resolve-features.js';

const resolve = (plugins: OraclePlugin[], features: Features = {}, env: Record<string, string> = {}) =>
  resolveFeatures(plugins, features, () => env).map(({ plugin, isOn, reason }) => [plugin.name, isOn, reason]);

describe('features', () => {
  const detecting = testPlugin('detecting', { autoDetect: (env) => env['KEY'] !== undefined });

  it('are on unless switched off, and auto if the plugin detects its requirements', () => {
    expect(resolve([testPlugin('plain'), detecting])).toEqual([
      ['plain', true, undefined],
      ['detecting', false, 'not set up'],
    ]);
    expect(resolve([detecting], {}, { KEY: 'x' })).toEqual([['detecting', true, undefined]]);
    expect(resolve([detecting], { detecting: true })).toEqual([['detecting', true, undefined]]);
    expect(resolve([detecting], { detecting: false }, { KEY: 'x' })).toEqual([['detecting', false, 'switched off']]);
    expect(resolve([testPlugin('plain')], { plain: 'auto' })).toEqual([['plain', true, undefined]]);
  });

  it('switch off all plugins that depend on them, also indirectly', () => {
    const [a, b, c] = [
      testPlugin('a'),
      testPlugin('b', { dependsOn: ['a'] }),
      testPlugin('c', { dependsOn: ['b'], softDependsOn: ['a'] }),
    ];
    expect(resolve([c, b, a], { a: false, c: true })).toEqual([
      ['a', false, 'switched off'],
      ['b', false, 'needs a, which is off'],
      ['c', false, 'needs b, which is off'],
    ]);
  });

  it('do not switch off plugins with only a soft dependency', () => {
    const soft = testPlugin('soft', { softDependsOn: ['a', 'never-heard-of'] });
    expect(resolve([soft, testPlugin('a')], { a: false })).toEqual([
      ['a', false, 'switched off'],
      ['soft', true, undefined],
    ]);
  });

  it('with the name of no plugin are refused', () => {
    expect(() => resolve([], { wether: true })).toThrow('features.wether: there is no plugin of that name');
  });
});

describe('plugins', () => {
  it('start after their dependencies, else in the given order', () => {
    const plugins = [testPlugin('c', { dependsOn: ['a'] }), testPlugin('b'), testPlugin('a')];
    expect(resolve(plugins).map(([name]) => name)).toEqual(['a', 'c', 'b']);
  });

  it('are refused when two have one name', () => {
    expect(() => resolve([testPlugin('a'), testPlugin('a')])).toThrow('there are two plugins called "a"');
  });

  it('are refused when a dependency does not exist', () => {
    expect(() => resolve([testPlugin('a', { dependsOn: ['b'] })])).toThrow(
      'plugin "a" depends on "b", which does not exist',
    );
  });

  it('are refused when they depend on each other in a cycle, soft dependencies included', () => {
    const circle = [
      testPlugin('a', { dependsOn: ['b'] }),
      testPlugin('b', { softDependsOn: ['c'] }),
      testPlugin('c', { dependsOn: ['a'] }),
    ];
    expect(() => resolve(circle)).toThrow('in a circle: a → b → c → a');
  });
});
