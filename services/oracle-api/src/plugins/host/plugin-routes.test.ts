import { describe, expect, it } from 'vitest';
import { isNamed } from './plugin-routes.js';

describe('public routes', () => {
  it.each([
    [['/slack/events'], 'POST', '/slack/events', true],
    [['slack/events'], 'POST', '/slack/events', true],
    [[{ path: '/items/:id', method: 'get' }], 'GET', '/items/:id', true],
    [[{ path: '/items/:id', method: 'GET' }], 'HEAD', '/items/:id', true],
    [[{ path: '/items/:id', method: 'GET' }], 'DELETE', '/items/:id', false],
    [[{ path: '/items/:id', method: 'HEAD' }], 'GET', '/items/:id', false],
    [[{ path: '/items/:id', method: 'HEAD' }], 'HEAD', '/items/:id', true],
    [['/items'], 'GET', '/items/:id', false],
    [['/items/*'], 'GET', '/items/:id', true],
    [['/items/*'], 'GET', '/items', true],
    [['/items/*'], 'GET', '/items-of-others', false],
    [[], 'GET', '/', false],
  ])('%j names %s %s: %s', (routes, method, path, expected) => {
    expect(isNamed(routes, method, path)).toBe(expected);
  });
});
