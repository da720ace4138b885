import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.js';
import { lazyRequestLoggers } from './request-log.js';

function capture(level = 'info') {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ service: 'test', level, destination });
  let children = 0;
  logger.onChild = () => {
    children += 1;
  };
  return { lines, root: lazyRequestLoggers(logger), made: () => children };
}

describe('request loggers', () => {
  it('write the fields of the request, without secrets', () => {
    const { lines, root } = capture();
    const log = root.child({ reqId: 'r-1' });
    log.info({ ms: 3, pin: '90210' }, 'request');
    log.error(new Error('gone'));
    log.child({ part: 'a' }).warn('careful');
    root.info('itself');
    expect(lines).toMatchObject([
      { level: 30, reqId: 'r-1', ms: 3, pin: '[redacted]', msg: 'request' },
      { level: 50, reqId: 'r-1', err: { message: 'gone' } },
      { level: 40, reqId: 'r-1', part: 'a', msg: 'careful' },
      { level: 30, msg: 'itself' },
    ]);
  });

  it('are not created for lines below the level', () => {
    const { lines, root, made } = capture('error');
    const log = root.child({ reqId: 'r-1' });
    for (const level of ['trace', 'debug', 'info', 'warn'] as const) log[level]('nothing');
    expect([lines, made()]).toEqual([[], 0]);
  });

  it('are created by Fastify only for requests that log a line', async () => {
    const { lines, root, made } = capture();
    const app = Fastify({ loggerInstance: root, disableRequestLogging: true });
    app.get('/quiet', () => 'nothing');
    app.get('/loud', ({ log }) => {
      log.info('something');
      return 'said';
    });
    await app.ready();
    const before = made();
    for (const url of ['/quiet', '/quiet', '/loud']) await app.inject({ url });
    expect([made() - before, lines]).toMatchObject([1, [{ reqId: 'req-3', msg: 'something' }]]);
    await app.close();
  });

  it('may have a level of their own, from the start or later', () => {
    const { lines, root } = capture();
    root.child({ reqId: 'r-1' }, { level: 'debug' }).debug('from the start');
    const log = root.child({ reqId: 'r-2' });
    log.debug('not yet');
    log.level = 'debug';
    log.debug('later');
    expect([log.level, lines.map(({ msg }) => msg)]).toEqual(['debug', ['from the start', 'later']]);
  });
});
