import { endPrograms, type ListeningProgram, startBuilt, startNodeProgram } from '@mlango/test-services/program';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { closeClients, socketIoClient } from '../src/sockets/sockets.fixture.js';

const entity = 'did:ixo:entity:e0001';

/** Text of the built-in model for the result of a tool. */
const gaveBack = (tool: string) => `${tool} gave back`;

describe('an oracle with a query gateway', () => {
  let oracle: TestOracle;
  let user: TestUser;
  let gateway: ListeningProgram;

  beforeAll(async () => {
    const node = await startNodeProgram();
    gateway = await startBuilt('services/proto-gateway/dist/main.js', { PORT: '0', GRPC_TARGETS: node.address });
    oracle = await createTestOracle({ env: { PROTO_GATEWAY_URL: gateway.address } });
    user = await oracle.newUser();
  }, 90_000);
  afterEach(closeClients);
  afterAll(async () => {
    await oracle?.close();
    await endPrograms();
  });

  it('looks up an entity in plain words, by its DID or its short name', async () => {
    const answer = await user.say(`Look up entity ${entity}`);
    expect(answer).toContain(gaveBack('lookup_entity'));
    expect(answer).toContain(entity);
    expect(await user.callTool('lookup_entity', { id: 'e0001' })).toMatchObject({
      status: 'done',
      output: { entity: { id: entity, type: 'oracle' } },
    });
  });

  it('looks up a claim in plain words', async () => {
    const page = await fetch(`${gateway.address}/proto/claims/claims?pagination.limit=1`);
    const { claims } = (await page.json()) as { claims: { claim_id: string; collection_id: string }[] };
    const [claim] = claims;
    expect(await user.say(`Look up claim ${claim?.claim_id}`)).toContain(gaveBack('lookup_claim'));
    expect(await user.callTool('lookup_claim', { id: claim?.claim_id })).toMatchObject({
      status: 'done',
      output: { claim: { claim_id: claim?.claim_id, collection_id: claim?.collection_id } },
    });
  });

  it('reads the token parameters in plain words', async () => {
    const params = '{"params":{"ixo1155_contract_code":"25"}}';
    expect(await user.say('Token parameters')).toBe(`get_token_parameters gave back ${params}`);
    expect(await user.say('What are the token parameters?')).toContain(params);
  });

  it('sends pages a card for a result, with the id of the call, and none without a result', async () => {
    const sessionId = await user.openSession();
    const invocation = String(user.headers['authorization']).replace('Bearer ', '');
    const page = socketIoClient(await oracle.listen(), sessionId, { invocation });
    const { socket, received } = page;
    await page.next('connected');
    const cards = () => received.filter(({ event }) => event === 'render_component').map(({ data }) => data);
    const pongs = () => received.filter(({ event }) => event === 'pong').length;
    const lookUp = async (words: string) => {
      await user.say(words, sessionId);
      // This event follows all earlier ones.
      const before = pongs();
      socket.emit('ping');
      await vi.waitFor(() => expect(pongs()).toBe(before + 1));
    };
    await lookUp('Look up entity did:ixo:entity:nope');
    expect(cards()).toEqual([]);
    await lookUp(`Look up entity ${entity}`);
    const call = received.findLast(({ event }) => event === 'tool_call');
    const place = { sessionId, requestId: expect.any(String), status: 'done' };
    expect(cards()).toEqual([
      {
        ...place,
        componentName: 'entity_card',
        args: expect.objectContaining({ did: entity, type: 'oracle', isVerified: true }),
        eventId: call?.data['eventId'],
        at: 0,
      },
    ]);
    await lookUp('Token parameters');
    expect(cards().at(-1)).toMatchObject({ componentName: 'token_parameters_card', args: { contractCode: '25' } });
  });

  it('reports entities that the chain does not have', async () => {
    expect(await user.say('Look up entity did:ixo:entity:nope')).toBe(
      'lookup_entity did not work: The chain has no entity did:ixo:entity:nope.',
    );
    expect(await user.callTool('lookup_claim', { id: 'nope' })).toEqual({
      status: 'error',
      output: { error: 'The chain has no claim nope.' },
    });
  });

  it('reports an unavailable gateway, and continues to answer', async () => {
    await gateway.end();
    expect(await user.say(`Look up entity ${entity}`)).toBe(
      'lookup_entity did not work: The chain is not available now. Try again later.',
    );
    expect(await user.say('Remember that my goat is called Zuri')).toContain('I will remember');
  });
});
