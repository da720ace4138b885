import { describe, expect, it } from 'vitest';
import { planOracle } from '../../oracle.js';
import { mcp } from './plugin.js';

const plan = (MCP_SERVERS?: string, features = {}) =>
  planOracle({
    plugins: [mcp],
    env: { NODE_ENV: 'test', ...(MCP_SERVERS === undefined ? {} : { MCP_SERVERS }) },
    features,
  });
const isOn = (...args: Parameters<typeof plan>) =>
  plan(...args).plugins.find(({ plugin }) => plugin.name === 'mcp')?.isOn;
const one = (setting: object, name = 'search') =>
  JSON.stringify({ [name]: { url: 'https://mcp.example/mcp', ...setting } });

describe('MCP_SERVERS', () => {
  it('switches the plugin on, unless its feature is off', () => {
    expect(isOn()).toBe(false);
    expect(isOn('')).toBe(false);
    expect(isOn(one({}))).toBe(true);
    expect(isOn(one({}), { mcp: false })).toBe(false);
    expect(() => isOn(undefined, { mcp: true })).toThrow('MCP_SERVERS: is required (plugin mcp)');
  });

  it('names servers, which are unprotected and without headers by default', () => {
    expect(plan(one({ protected: true, headers: { 'x-api-key': 'k' } })).settings.get('mcp')).toEqual({
      MCP_SERVERS: [
        { name: 'search', url: 'https://mcp.example/mcp', isProtected: true, headers: { 'x-api-key': 'k' } },
      ],
    });
    expect(plan(one({})).settings.get('mcp')).toMatchObject({ MCP_SERVERS: [{ isProtected: false, headers: {} }] });
  });

  it.each([
    ['https://mcp.example/mcp', 'must be JSON such as'],
    ['{}', 'must name at least one server'],
    ['[]', 'must be an object'],
    [one({ url: 'ftp://mcp.example' }), 'search.url: must be a URL starting with http:// or https://'],
    [one({ url: 'https://user:pass@mcp.example' }), 'search.url: must be a URL'],
    [one({}, 'my_server'), 'must be a name of lower-case letters'],
    [one({ protected: 'yes' }), 'search.protected: must be true or false'],
    [one({ headers: { 'a b': 'x' } }), 'must be the name of a header'],
    [one({ headers: { 'Mcp-Session-Id': 'x' } }), 'search.headers: has a header that the protocol sets'],
    [one({ headers: { 'x-api-key': 'top\nsecret' } }), 'search.headers.x-api-key: must be printable ASCII'],
    [one({ oracle: 'B' }), 'search.oracle: must be a DID'],
    [
      one({ oracle: 'did:key:z6Mk', protected: true }),
      'search.protected: an oracle is called with a delegation of the user',
    ],
    [one({ command: 'rm' }), 'has unknown fields: command'],
  ])('%s is refused, with an error text without secrets', (text, words) => {
    expect(() => plan(text)).toThrow(`MCP_SERVERS: `);
    expect(() => plan(text)).toThrow(words);
    expect(() => plan(text)).not.toThrow('secret');
  });
});
