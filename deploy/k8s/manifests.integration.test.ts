import { describe, expect, it } from 'vitest';
import { apiFaults } from './api-faults.fixture.js';
import { canRender, type Manifest, ofKind, overlays, render } from './render.fixture.js';

const isSelected = (selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>> = {}) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap((manifest) =>
    manifest.spec?.template === undefined ? [] : [{ manifest, ...manifest.spec.template }],
  );

describe.skipIf(!canRender).each(overlays)('the output of kubectl for %s', (overlay) => {
  const manifests = canRender ? render(overlay) : [];
  const pods = podsOf(manifests);
  const named = (kind: string, name: string) => ofKind(manifests, kind).some(({ metadata }) => metadata.name === name);

  it('is valid for the API', async () => {
    expect(await apiFaults(manifests)).toEqual([]);
  });

  it('contains the object of every reference', () => {
    for (const { spec } of pods) {
      for (const { envFrom = [] } of spec.containers) {
        for (const { configMapRef } of envFrom) expect(named('ConfigMap', configMapRef.name)).toBe(true);
      }
      for (const { configMap } of spec.volumes ?? []) {
        if (configMap !== undefined) expect(named('ConfigMap', configMap.name)).toBe(true);
      }
    }
    for (const { spec } of ofKind(manifests, 'HorizontalPodAutoscaler')) {
      expect(named(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)).toBe(true);
    }
  });

  it('sets the number of replicas in one place: the deployment, or its autoscaler', () => {
    const scaled = ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
    const services = ofKind(manifests, 'Deployment').filter(({ metadata }) => metadata.name !== 'mock-node');
    expect(services).toHaveLength(3);
    for (const { metadata, spec } of services)
      expect(spec.replicas === undefined, metadata.name).toBe(scaled.includes(metadata.name));
  });

  it('has pods behind each service, budget and policy', () => {
    const selectors = [
      ...ofKind(manifests, 'Service').map(({ spec }) => spec.selector),
      ...ofKind(manifests, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      ...ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels ?? {}),
    ];
    expect(selectors.length).toBeGreaterThan(8);
    for (const selector of selectors) {
      expect(
        pods.some(({ metadata }) => isSelected(selector, metadata.labels)),
        JSON.stringify(selector),
      ).toBe(true);
    }
  });

  it('names an image with its version in each pod, and migrates in separate jobs', () => {
    for (const { spec } of pods) for (const { image } of spec.containers) expect(image).toMatch(/:[\w.-]+$/);
    const steps = manifests.map(({ metadata }) => metadata.labels?.['mlango.io/step']).filter(Boolean);
    expect(steps).toHaveLength(5);
    expect(new Set(steps)).toEqual(new Set(['migrate', 'run']));
  });
});
