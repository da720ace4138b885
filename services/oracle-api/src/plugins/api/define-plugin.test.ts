import { describe, expect, it } from 'vitest';
import { manifestOf, testPlugin } from './plugin.fixture.js';

describe('definePlugin', () => {
  it.each([
    ['an invalid name', () => testPlugin('My Plugin')],
    ['an invalid version', () => testPlugin('a', { version: 'latest' })],
    ['a manifest with an empty text', () => testPlugin('a', { manifest: { ...manifestOf('always'), whenToUse: ' ' } })],
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
  ])('refuses the unsupported member %s and suggests a similar one', (member, hint) => {
    const define = () => testPlugin('a', { [member]: () => [] });
    expect(define).toThrow(new RegExp(`${hint.replace('?', '\\?')}$`));
  });
});
