import type { Facts, Flow } from '../flow.js';
import { findProblems } from './check-flow.js';
import { printProblem } from './problem.js';

/** The problems of a flow, one line each. */
export function checkFlow(flow: Flow, facts: Facts): string[] {
  return findProblems(flow, facts).map(printProblem);
}
