import { tracingChannel } from 'node:diagnostics_channel';
import type postgres from 'postgres';
import { LazyRows } from './lazy-rows.js';

/** A statement as traces read it, without parameters (`tracing/client-calls.ts`). */
export interface PostgresStatement {
  readonly text: string;
  readonly server: Pick<postgres.Sql['options'], 'host' | 'port' | 'database'>;
}

export const STATEMENTS = 'postgres:query';
const channel = tracingChannel<unknown, PostgresStatement>(STATEMENTS);

/**
 * Wraps a client of postgres.js to report each statement on a tracing channel, also those of transactions with their begin and
 * end. Without a subscriber nothing is reported.
 */
export function reportStatements(pool: postgres.Sql): postgres.Sql {
  const server = pool.options;
  const report = <T>(text: string, run: () => Promise<T>): Promise<T> => channel.tracePromise(run, { text, server });
  const wrap = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        const wrapper = channel.hasSubscribers ? wrappers[String(name)] : undefined;
        return wrapper === undefined ? member : wrapper(member as Member);
      },
    });
  type Member = (...args: unknown[]) => unknown;
  const wrappers: Readonly<Record<string, (member: Member) => Member>> = {
    unsafe: (unsafe) => (text, parameters, options) => {
      const query = () => unsafe(text, parameters, options) as postgres.PendingQuery<postgres.Row[]>;
      return new LazyRows(
        () => report(String(text), async () => query()),
        () => report(String(text), async () => query().values()),
      );
    },
    begin: (begin) => (work) => {
      let isBegun = () => {};
      const begun = new Promise<void>((resolve) => {
        isBegun = resolve;
      });
      const ended = begin(async (transaction: object) => {
        isBegun();
        try {
          const result: unknown = await (work as Member)(wrap(transaction));
          report('commit', () => ended).catch(() => {});
          return result;
        } catch (error) {
          void report('rollback', () => ended.catch(() => {}));
          throw error;
        }
      }) as Promise<unknown>;
      report('begin', () => Promise.race([begun, ended])).catch(() => {});
      return ended;
    },
    savepoint: (savepoint) => (work) => savepoint((inner: object) => (work as Member)(wrap(inner))),
  };
  return wrap(pool);
}
