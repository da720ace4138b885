import { errorCodeOf } from '../database/sql-errors.js';
import type { ToldCalls } from './channel-spans.js';

/** As the patched driver tells it (docs/adr/0008): a statement without its parameters. */
interface PostgresStatement {
  readonly text: string;
  readonly server: { readonly host: readonly string[]; readonly port: readonly number[]; readonly database: string };
}

const textLimit = 2_000;

export const postgresCalls: ToldCalls<PostgresStatement> = {
  channel: 'postgres:query',
  describe: ({ text, server }) => {
    const { host, port, database } = server;
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
    const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text)?.[1];
    const summary = table === undefined ? operation : `${operation} ${table}`;
    return {
      name: summary,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.namespace': database,
        'db.query.summary': summary,
        'db.query.text': text.slice(0, textLimit).replace(/'(?:[^']|'')*(?:'|$)/g, '?'),
        // Which of several it was is known to the driver alone.
        ...(host.length === 1 ? { 'server.address': host[0], 'server.port': port[0] } : {}),
      },
    };
  },
  failureOf: (error) => errorCodeOf(error) ?? '_OTHER',
};
