import { describe, expect, it } from 'vitest';
import { manifestOf, testPlugin } from './plugin.fixture.js';

describe('definePlugin', () => {
  it.each([
    ['a name that is no address', () => testPlugin('My Plugin')],
    ['a version that is none', () => testPlugin('a', { version: 'latest' })],
    ['a manifest that says nothing', () => testPlugin('a', { manifest: { ...manifestOf('always'), whenToUse: ' ' } })],
    ['a plugin that depends on itself', () => testPlugin('a', { softDependsOn: ['a'] })],
    ['a silent plugin with tools', () => testPlugin('a', { manifest: manifestOf('silent'), getTools: () => [] })],
  ])('refuses %s', (_what, define) => {
    expect(define).toThrow(/^plugin "/);
  });

  it.each([
    ['getNestModules', 'there is no member "getNestModules": did you mean getRoutes?'],
    ['getMiddleware', 'there is no member "getMiddleware": did you mean getMiddlewares?'],
    ['gettools', 'there is no member "gettools": did you mean getTools?'],
    ['onEverything', 'there is no member "onEverything"'],
  ])('refuses the member %s, which nobody would ask for, and says what may have been meant', (member, hint) => {
    const define = () => testPlugin('a', { [member]: () => [] });
    expect(define).toThrow(new RegExp(`${hint.replace('?', '\\?')}$`));
  });
});
