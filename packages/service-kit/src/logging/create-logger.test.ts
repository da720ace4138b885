import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from './create-logger.js';

function capture() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, logger: createLogger({ service: 'test', level: 'info', destination }) };
}

describe('createLogger', () => {
  it('drops secrets at the top and one and two levels down', () => {
    const { lines, logger } = capture();
    logger.info({
      pin: 'S3CRET',
      token: 'S3CRET',
      headers: { authorization: 'S3CRET', 'x-ucan-delegation': 'S3CRET', cookie: 'S3CRET' },
      req: { headers: { authorization: 'S3CRET', 'x-aggregator-secret': 'S3CRET' } },
      body: { text: 'S3CRET', auth: { invocation: 'S3CRET', ucanDelegation: 'S3CRET' } },
      'x-ucan-delegation': 'S3CRET',
      matrix: {
        accessToken: 'S3CRET',
        headers: { 'x-matrix-access-token': 'S3CRET', 'x-matrix-homeserver': 'S3CRET' },
      },
      send: { homeServer: 'S3CRET' },
    });
    expect(lines.join()).toContain('[redacted]');
    expect(lines.join()).not.toContain('S3CRET');
  });

  it('masks phone numbers', () => {
    const { lines, logger } = capture();
    logger.info({ phoneNumber: '+260971234567', msisdn: '260971234567' });
    expect(lines.join()).toContain('+26097****567');
    expect(lines.join()).not.toContain('1234');
  });

  it('removes data and credentials from logged errors, but not their causes', () => {
    const { lines, logger } = capture();
    const driver = Object.assign(new Error('connect failed for postgres://app:S3CRET@db:5432/app'), {
      code: 'ECONNREFUSED',
    });
    const query = Object.assign(new Error('Failed query: select $1\nparams: S3CRET', { cause: driver }), {
      params: ['S3CRET'],
    });
    logger.error({ err: query });
    expect(lines.join()).not.toContain('S3CRET');
    expect(JSON.parse(lines[0] ?? '{}').err).toMatchObject({
      message: 'Failed query: select $1',
      cause: { message: 'connect failed for postgres://***@db:5432/app', code: 'ECONNREFUSED' },
    });
  });
});
