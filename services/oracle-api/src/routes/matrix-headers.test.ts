import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../app.fixture.js';
import { parseSse } from '../runs/parse-sse.fixture.js';

describe("the user's Matrix session", () => {
  it('is in no log line, no message and no frame, also when something fails', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const { app } = await testApp({ logger: createLogger({ service: 'test', level: 'trace', destination }) });
    const headers = {
      ...(await headersOf('a')),
      'x-matrix-access-token': 'syt_secret_token',
      'x-matrix-homeserver': 'https://matrix.secret.example',
    };
    const sessionId = await newSession(app, headers);
    const payload = { message: 'Hello', stream: true, homeServer: 'body.secret.example' };
    const streamed = await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    expect(parseSse(streamed.body).at(-1)?.event).toBe('done');
    await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message: '' } });
    const listed = await app.inject({ url: `/messages/${sessionId}`, headers });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('') + streamed.body + listed.body).not.toContain('secret');
    await app.close();
  });
});
