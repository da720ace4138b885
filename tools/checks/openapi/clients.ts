// Calls each service by a client of each generator.
import { strict as assert } from 'node:assert';
import createFetchClient from 'openapi-fetch';
import type { paths as ChainPaths } from './fetch/chain.js';
import type { paths as OraclePaths } from './fetch/oracle.js';
import type { paths as UssdPaths } from './fetch/ussd.js';
import { createClient as createChainClient } from './hey/chain/client/index.js';
import { ixoTokenV1Beta1QueryParams } from './hey/chain/sdk.gen.js';
import { createClient as createOracleClient } from './hey/oracle/client/index.js';
import { listModels } from './hey/oracle/sdk.gen.js';
import { createClient as createUssdClient } from './hey/ussd/client/index.js';
import { postApiUssd } from './hey/ussd/sdk.gen.js';
import { Api as ChainApi } from './swagger/chain/api.js';
import { Api as OracleApi } from './swagger/oracle/api.js';
import { Api as UssdApi } from './swagger/ussd/api.js';

const [, , ussdUrl = '', oracleUrl = '', chainUrl = ''] = process.argv;
const hop = (sessionId: string) => ({ sessionId, serviceCode: '*384#', phoneNumber: '+254711000111', text: '' });
const contractCode = '25';

const ussd = createFetchClient<UssdPaths>({ baseUrl: ussdUrl });
assert.match((await ussd.POST('/api/ussd', { body: hop('fetch'), parseAs: 'text' })).data ?? '', /^CON /);
const oracle = createFetchClient<OraclePaths>({ baseUrl: oracleUrl });
assert.equal((await oracle.GET('/models')).data?.models.length, 1);
const chain = createFetchClient<ChainPaths>({ baseUrl: chainUrl });
assert.equal((await chain.GET('/proto/token/params')).data?.params?.ixo1155_contract_code, contractCode);

const menu = await postApiUssd({ client: createUssdClient({ baseUrl: ussdUrl }), body: hop('hey'), parseAs: 'text' });
assert.match(String(menu.data), /^CON /);
const models = await listModels({ client: createOracleClient({ baseUrl: oracleUrl }) });
assert.equal(models.data?.models.length, 1);
const params = await ixoTokenV1Beta1QueryParams({ client: createChainClient({ baseUrl: chainUrl }) });
assert.equal(params.data?.params?.ixo1155_contract_code, contractCode);

const typedMenu = await new UssdApi({ baseUrl: ussdUrl }).api.postApiUssd(hop('swagger'), { format: 'text' });
assert.match(String(typedMenu.data), /^CON /);
assert.equal((await new OracleApi({ baseUrl: oracleUrl }).models.listModels({ format: 'json' })).data.models.length, 1);
const reply = await new ChainApi({ baseUrl: chainUrl }).proto.ixoTokenV1Beta1QueryParams({}, { format: 'json' });
assert.equal(reply.data.params?.ixo1155_contract_code, contractCode);
