import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { servicesFolder } from '../../test/support/services-folder.js';
import { analyticsOn } from '../analytics/analytics.fixture.js';
import { scoped } from '../session-scope.js';
import { menuHopRules } from '../sessions/hop-rules.fixture.js';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { runHop } from '../sessions/run-hop.js';
import { SessionQueue } from '../sessions/with-session-lock.js';
import { loadTenants } from './read-tenants.js';
import { TenantRegistry } from './tenant-registry.js';

const yaml = `
services:
  default: {}
  clinic: { codes: ['*1#'], flow: default, name: Afya }
  shop: { codes: ['*2#'], name: Duka }
`;

function open(folder: string) {
  const hops = { sessionTtlMs: 180_000, hopDeadlineMs: 5000, clock: () => 0 };
  const services = new TenantRegistry({
    hops: { store: new MemorySessionStore(), queue: new SessionQueue(), ...hops },
    rules: menuHopRules(),
    analyticsOf: analyticsOn(undefined),
    retentionMs: 180_000,
  });
  const look = () => services.activate(loadTenants(folder, { appName: 'Mlango' }));
  look();
  const send = async (serviceCode: string, sessionId: string, text: string) => {
    const service = services.dialled(serviceCode);
    if (service === undefined) throw new Error(`no tenant has ${serviceCode}`);
    const hop = {
      aggregator: scoped('canonical', service.id),
      sessionId,
      phoneNumber: '+254711000001',
      serviceCode,
      text,
      arrivedAtMs: 0,
    };
    return (await runHop(hop, service.hops)).reply;
  };
  return { services, look, send };
}

describe('reloaded tenants', () => {
  it('keep each session on its flow and tenant', async () => {
    const folder = servicesFolder(yaml, ['default', 'shop']);
    const { look, send } = open(folder);
    for (const code of ['*1#', '*2#', '*3#']) await send(code, `under way ${code}`, '');
    const english = join(folder, 'shop/texts/en.yaml');
    writeFileSync(english, readFileSync(english, 'utf8').replace('Information of shop', 'Information of the new shop'));
    writeFileSync(join(folder, 'services.yaml'), yaml.replace('name: Duka', 'name: Soko'));
    expect([look(), look()]).toEqual([true, false]);
    expect(await send('*1#', 'under way *1#', '1')).toContain('Information of default');
    expect(await send('*2#', 'under way *2#', '1')).toContain('Information of shop');
    expect(await send('*3#', 'under way *3#', '1')).toContain('Information of default');
    expect(await send('*2#', 'new', '')).toContain('Welcome to Soko');
    expect(await send('*2#', 'new', '1')).toContain('Information of the new shop');
  });

  it('do not rebuild unchanged flows, and share equal ones', () => {
    const folder = servicesFolder(yaml, ['default', 'shop']);
    const { services, look } = open(folder);
    const flowOf = (id: string) => services.find(id)?.hops.rules.flows[0];
    const before = ['default', 'clinic', 'shop'].map(flowOf);
    expect(before[0]).toBe(before[1]);
    writeFileSync(join(folder, 'services.yaml'), yaml.replace('name: Duka', 'name: Soko'));
    look();
    expect(['default', 'clinic', 'shop'].map(flowOf)).toEqual(before);
    for (const [index, id] of ['default', 'clinic', 'shop'].entries()) expect(flowOf(id)).toBe(before[index]);
  });

  it('reuse a loaded flow that is passed by its name only', async () => {
    const { services, send } = open(servicesFolder(yaml, ['default', 'shop']));
    const named = services.all.map(({ settings, hops }) => {
      const [{ id, revision = '' }] = hops.rules.flows;
      return { ...settings, name: `New ${settings.name}`, flows: [{ id, revision }] as const };
    });
    expect(services.activate(named)).toBe(true);
    expect(await send('*2#', 'new', '')).toContain('Welcome to New Duka');
    expect(await send('*2#', 'new', '1')).toContain('Information of shop');
    const stranger = named.map((one) => ({ ...one, flows: [{ id: 'shop', revision: 'nobody knows' }] as const }));
    expect(() => services.activate(stranger)).toThrow('the flow shop was unloaded meanwhile');
    expect(services.activate(named)).toBe(false);
  });

  it('are added and removed while sessions of the others continue', async () => {
    const folder = servicesFolder(yaml, ['default', 'shop']);
    const { services, look, send } = open(folder);
    for (const code of ['*1#', '*3#']) await send(code, 'under way', '');
    cpSync(join(folder, 'shop'), join(folder, 'bank'), { recursive: true });
    writeFileSync(
      join(folder, 'services.yaml'),
      yaml
        .replace('shop: { codes', 'bank: { flow: shop, codes')
        .replace('default: {}', 'default: {}\n  car: { codes: ["*9#"], flow: bank }'),
    );
    look();
    expect(services.all.map(({ id }) => id)).toEqual(['default', 'car', 'clinic', 'bank']);
    expect(await send('*9#', 'new', '')).toContain('Welcome to Mlango');
    for (const code of ['*1#', '*3#']) expect(await send(code, 'under way', '1')).toContain('Information of default');
  });
});
