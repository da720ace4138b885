import { createTestOracle, type TestOracle } from '@mlango/oracle-api/testing';
import { type Capability, mintDelegation, mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraryPlugin } from './library-plugin.js';

const keyOf = (letter: string) => signerFromSeed(Buffer.alloc(32, letter));
let library: TestOracle;
let guide: TestOracle;

beforeAll(async () => {
  library = await createTestOracle({ plugins: [libraryPlugin], env: { DOORS: 'mcp' } });
  const servers = { library: { url: `${await library.listen()}/mcp`, oracle: library.oracle.did } };
  guide = await createTestOracle({ env: { MCP_SERVERS: JSON.stringify(servers) } });
});
afterAll(async () => {
  await guide?.close();
  await library?.close();
});

/** A user of an oracle. */
function userOf({ oracle: { did }, inject }: TestOracle, signer: ReturnType<typeof keyOf>) {
  const ask = async <Reply>(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object): Promise<Reply> => {
    const token = await mintInvocation({ signer, audience: did });
    const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
    return (await inject({ method, url, headers, ...(payload && { payload }) })).json<Reply>();
  };
  const say = async (message: string) => {
    const { sessionId } = await ask<{ sessionId: string }>('POST', '/sessions');
    return (await ask<{ message: { content: string } }>('POST', `/messages/${sessionId}`, { message })).message.content;
  };
  const delegate = async (capability: Capability) => {
    const raw = await mintDelegation({ signer, audience: did, capabilities: [capability] });
    return ask('POST', '/delegation', { raw, issuer: signer.did, audience: did, expiration: null });
  };
  return { ask, say, delegate };
}

describe('an oracle that calls another one for its users', () => {
  const borrow = (title: string) => `use the tool library__borrow with ${JSON.stringify({ title })}`;

  it('acts as the user within the delegation only', async () => {
    const [asha, juma] = [keyOf('a'), keyOf('j')];
    const atGuide = userOf(guide, asha);
    expect(await atGuide.say(borrow('Weep Not, Child'))).not.toContain('borrowed');
    expect(await atGuide.delegate({ can: 'oracle/*', with: asha.did })).toMatchObject({ ok: true });
    expect(await atGuide.say(borrow('Weep Not, Child'))).toContain('borrowed');
    // At the library the borrower is Asha.
    expect(await userOf(library, asha).say('use the tool my_book')).toContain('Weep Not, Child');
    expect(await userOf(library, juma).say('use the tool my_book')).not.toContain('Weep Not');
    expect(await userOf(guide, juma).say('use the tool library__my_book')).not.toContain('title');
  });

  it('can send it a question', async () => {
    const asha = keyOf('b');
    const atGuide = userOf(guide, asha);
    await atGuide.delegate({ can: 'oracle/converse', with: asha.did });
    const answer = await atGuide.say('use the tool library__ask with {"message":"say: we open at nine"}');
    expect(answer).toContain('we open at nine');
    // The conversation that the guide had there is the user's.
    const { sessions } = await userOf(library, asha).ask<{ sessions: object[] }>('GET', '/sessions');
    expect(sessions).toHaveLength(1);
  });

  it('has no access with another delegation, or after its removal', async () => {
    const asha = keyOf('c');
    const atGuide = userOf(guide, asha);
    await atGuide.delegate({ can: 'store/*', with: asha.did });
    expect(await atGuide.say(borrow('Petals of Blood'))).not.toContain('borrowed');
    await atGuide.delegate({ can: 'oracle/converse', with: asha.did });
    expect(await atGuide.say(borrow('Petals of Blood'))).toContain('borrowed');
    await atGuide.ask('DELETE', '/delegation');
    expect(await atGuide.say(borrow('Matigari'))).not.toContain('borrowed');
    expect(await userOf(library, asha).say('use the tool my_book')).toContain('Petals of Blood');
  });
});
