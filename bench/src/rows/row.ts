import type { Child, Placement } from '../process.js';
import type { Stores } from '../stores.js';

/** One line of the table. */
export interface Line {
  readonly name: string;
  readonly figure: string;
  /** Times the floor that was measured in the same run. */
  readonly ratio?: number;
  readonly goal?: string;
  /** Undefined for a peer, which has no goal. */
  readonly isMet?: boolean;
  readonly isSettled: boolean;
}

/** The tools for measuring a group of rows. */
export interface Bench {
  readonly core: number | undefined;
  readonly stores: Stores;
  /** The placement of a row's service: on the reserved processor, and under the profiler if it is the profiled row. */
  readonly placementOf: (row: string) => Placement;
}

export interface Row {
  measure(): Promise<readonly Line[]>;
  /** The work that the profiler records. */
  readonly profile?: { readonly service: Child; work(): Promise<unknown> };
}

/** Rows that share their processes. */
export interface RowGroup {
  readonly names: readonly string[];
  open(bench: Bench): Promise<{ readonly rows: Readonly<Record<string, Row>>; close(): Promise<void> }>;
}

/** A line with a goal for its ratio to the floor. */
export function ratioLine(
  name: string,
  figure: string,
  ratio: { figure: number; isSettled: boolean },
  most: number,
): Line {
  return {
    name,
    figure,
    ratio: ratio.figure,
    isSettled: ratio.isSettled,
    goal: `${Number(most.toFixed(2))} x`,
    isMet: ratio.figure <= most,
  };
}

/** A line with a goal for its value. */
export function valueLine(
  name: string,
  value: { figure: number; isSettled: boolean },
  most: number,
  { unit, digits = 0 }: { unit: string; digits?: number },
): Line {
  const figure = `${value.figure.toFixed(digits)} ${unit}`;
  return { name, figure, goal: `${most} ${unit}`, isMet: value.figure <= most, isSettled: value.isSettled };
}

/** A figure that is counted, not timed. */
export function counted(figure: number): { figure: number; isSettled: true } {
  return { figure, isSettled: true };
}
