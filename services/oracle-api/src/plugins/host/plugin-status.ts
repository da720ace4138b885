import type { Grant } from '../api/grants.js';
import type { Visibility } from '../api/plugin.js';
import type { Feature } from './resolve-features.js';

/** One plugin of an oracle, as its operator sees it. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly visibility: Visibility;
  /** What it is set to. */
  readonly feature: Feature;
  readonly status: 'on' | 'off';
  /** Why it is off. */
  readonly reason?: string;
  /** Names of the tools it has in every turn. */
  readonly tools: readonly string[];
  /** What it is granted beside what is its own. */
  readonly needs: readonly Grant[];
  /** Whether it has tables of its own. */
  readonly hasTables: boolean;
  /** `GET /path`. */
  readonly routes: readonly string[];
  /** How often it has been passed over since the start. */
  readonly failures: number;
}
