import { expect, it } from 'vitest';
import { headersOf, testApp } from '../../test/app.fixture.js';

it('with DOCS=off the API description and the link to it do not exist, and nothing else changes', async () => {
  const { app } = await testApp({ docs: false });
  for (const path of ['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui.css']) {
    expect((await app.inject(path)).json(), path).toMatchObject({ statusCode: 404 });
  }
  expect((await app.inject('/')).json().message).toBe('Jua is listening.');
  expect((await app.inject({ url: '/sessions', headers: await headersOf('a') })).statusCode).toBe(200);
  expect((await app.inject('/user-preferences')).statusCode).toBe(401);
  await app.close();
});

it('by default the API description exists, and the landing page links to it', async () => {
  const { app } = await testApp();
  expect((await app.inject('/')).json().message).toMatch(/described at \/docs\.$/);
  expect((await app.inject('/docs/json')).json().paths).toHaveProperty('/sessions');
  await app.close();
});
