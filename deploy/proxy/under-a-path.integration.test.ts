import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '@mlango/test-services/find-chromium';
import { endPrograms, startBuilt, startNodeProgram } from '@mlango/test-services/program';
import { findProgram, startProxy } from '@mlango/test-services/proxy-process';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProxy } from './doors.fixture.js';

const executablePath = findChromium();
/** A busy machine may take its time. */
const patient = { timeout: 30_000 };

const nginxConfig = (port: number, folder: string, chain: string, oracle: string) => `
pid ${folder}/nginx.pid;
events {}
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  access_log off;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-Prefix $prefix;
  server {
    listen 127.0.0.1:${port};
    location /query/chain/ {
      set $prefix /query/chain;
      proxy_pass ${chain}/;
    }
    location /oracle/ {
      set $prefix /oracle;
      proxy_pass ${oracle}/;
    }
  }
}`;

const caddyConfig = (port: number, _folder: string, chain: string, oracle: string) => `
{
  admin off
}
http://127.0.0.1:${port} {
  handle_path /query/chain/* {
    reverse_proxy ${chain} {
      header_up X-Forwarded-Prefix /query/chain
    }
  }
  handle_path /oracle/* {
    reverse_proxy ${oracle} {
      header_up X-Forwarded-Prefix /oracle
    }
  }
}`;

const proxies = [
  {
    name: 'nginx',
    config: nginxConfig,
    args: (file: string, folder: string) => [
      '-p',
      folder,
      '-c',
      file,
      '-e',
      `${folder}/error.log`,
      '-g',
      'daemon off;',
    ],
  },
  { name: 'caddy', config: caddyConfig, args: (file: string) => ['run', '--config', file, '--adapter', 'caddyfile'] },
].flatMap((proxy) => {
  const program = findProgram(proxy.name);
  return program === undefined ? [] : [{ ...proxy, program }];
});

const trustsProxy = { TRUST_PROXY_ENABLED: 'true', RATE_LIMIT_MAX: '1000000' };

describe.skipIf(proxies.length === 0 || executablePath === undefined)('services under a path of a proxy', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'under-a-path-'));
  let chain: string;
  let oracle: string;
  let browser: Browser;
  beforeAll(async () => {
    const node = await startNodeProgram();
    const ofChain = { ...trustsProxy, PORT: '0', GRPC_TARGETS: node.address };
    const ofOracle = { ...trustsProxy, PORT: '0', DATA_DIR: dataFolder, MCP: 'on' };
    chain = (await startBuilt('services/proto-gateway/dist/main.js', ofChain)).address;
    oracle = (await startBuilt('services/oracle-api/dist/main.js', ofOracle)).address;
    browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await endPrograms();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  describe.each(proxies)('$name', ({ program, config, args }) => {
    let proxy: RunningProxy;
    let base: string;
    beforeAll(async () => {
      proxy = await startProxy(program, (port, folder) => {
        // Workers of nginx run as another user when it is started by root.
        chmodSync(folder, 0o755);
        mkdirSync(join(folder, 'logs'));
        const file = join(folder, 'proxy.conf');
        writeFileSync(file, config(port, folder, chain, oracle));
        return { args: args(file, folder), env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } };
      });
      base = `http://127.0.0.1:${proxy.port}`;
    });
    afterAll(() => proxy.stop());

    it('contain the path in links and in the index', async () => {
      const legacy = await fetch(`${base}/query/chain/ixo/token/params`);
      expect(legacy.headers.get('link')).toBe('</query/chain/proto/token/params>; rel="successor-version"');
      expect((await fetch(`${base}/query/chain/proto/token/params`)).status).toBe(200);
      expect(await (await fetch(`${base}/query/chain/`)).json()).toMatchObject({
        documentation: '/query/chain/docs',
        openapi: '/query/chain/openapi.json',
      });
    });

    it('contain the path in the metadata of MCP', async () => {
      const refused = await fetch(`${base}/oracle/mcp`, { method: 'POST', body: '{}' });
      const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
      expect(metadataUrl).toBe(`${base}/oracle/.well-known/oauth-protected-resource/mcp`);
      expect(await (await fetch(String(metadataUrl))).json()).toMatchObject({ resource: `${base}/oracle/mcp` });
    });

    it('are callable from their documentation page', { timeout: 90_000 }, async () => {
      const page = await browser.newPage();
      await page.goto(`${base}/query/chain/docs`);
      await page.getByPlaceholder('Filter by tag').fill('ixo.token.v1beta1.Query');
      await expect.poll(() => page.locator('.opblock-tag').count(), patient).toBe(1);
      await page.locator('.opblock-tag').getByRole('button').click();
      const route = page.locator('.opblock-get', { has: page.locator('[data-path="/proto/token/params"]') });
      await route.locator('.opblock-summary').click();
      await route.getByRole('button', { name: 'Try it out' }).click();
      await route.getByRole('button', { name: 'Execute' }).click();
      await expect
        .poll(() => route.locator('.live-responses-table .response-col_status').last().innerText())
        .toBe('200');
      expect(await route.locator('.request-url pre').innerText()).toContain(`${base}/query/chain/proto/token/params`);
      await page.close();
    });
  });
});
