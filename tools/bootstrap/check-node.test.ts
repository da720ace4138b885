import { describe, expect, it } from 'vitest';
import { nodeProblem } from './check-node.cjs';

describe('nodeProblem', () => {
  it.each(['20.19.0', 'v20.19.0', '20.19.1', '20.20.0', '21.0.0', '24.1.0', '26.0.0-nightly'])(
    '%s is new enough',
    (version) => {
      expect(nodeProblem(version)).toBeUndefined();
    },
  );

  it.each(['20.18.3', '18.20.8', '6.17.1', '0.12.18'])(
    '%s is refused, saying what is needed and what was found',
    (version) => {
      expect(nodeProblem(version)).toMatch(/needs Node 20\.19\.0 or newer/);
      expect(nodeProblem(version)).toContain(`This is Node ${version}.`);
    },
  );
});
