import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProgram } from '@mlango/test-services/program';
import { findProgram, startProxy } from '@mlango/test-services/proxy-process';
import { realServicesRequired } from '@mlango/test-services/required';
import { ERROR, FLAG, FRAME } from '../../src/http2/frames.js';
import { numbers, sendReply, startFramePeer } from '../frame-peer.js';

/**
 * The server of the calls: one of `@grpc/grpc-js`, one of `node:http2`, nginx before a server of grpc-js, or frames written one
 * by one.
 */
export type NodeKind = 'grpc-js' | 'node:http2' | 'nginx' | 'frames';

export interface ChaosNode {
  readonly port: number;
  /** Stops and continues the process that answers calls. */
  freeze(): void;
  thaw(): void;
  /** Starts or ends a storm of GOAWAY. */
  storm(isOn: boolean): void;
  stop(): Promise<void>;
}

export interface ChaosNodeOptions {
  /** GOAWAY is sent so often, for as long as the node runs: grpc-js after a time, nginx after some requests. */
  readonly endsConnections?: boolean;
}

const MAX_CONNECTION_AGE_MS = 700;
const KEEPALIVE_REQUESTS = 5;
const FRAMES_ECHO_MS = 300;
const LISTENS = /listens on 127\.0\.0\.1:(\d+)/;

export const nginxProgram = findProgram('nginx');
if (nginxProgram === undefined && realServicesRequired()) {
  throw new Error('REQUIRE_REAL_SERVICES=1, but there is no nginx here');
}

export async function startNode(kind: NodeKind, options: ChaosNodeOptions = {}): Promise<ChaosNode> {
  if (kind === 'frames') return startFrames();
  if (kind === 'nginx') return startNginx(options);
  return startProcess(kind, options);
}

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

async function startProcess(kind: 'grpc-js' | 'node:http2', options: ChaosNodeOptions): Promise<ChaosNode> {
  const file = join(import.meta.dirname, 'node-program.fixture.ts');
  const age = options.endsConnections === true ? [String(MAX_CONNECTION_AGE_MS)] : [];
  const program = await startProgram(['--import', tsx, file, kind, ...age], {
    env: {},
    listens: LISTENS,
  });
  return {
    port: Number(program.address),
    freeze: () => void program.child.kill('SIGSTOP'),
    thaw: () => void program.child.kill('SIGCONT'),
    storm: () => void program.child.kill('SIGUSR2'),
    stop: async () => void (await program.end()),
  };
}

async function startNginx(options: ChaosNodeOptions): Promise<ChaosNode> {
  if (nginxProgram === undefined) throw new Error('there is no nginx');
  const behind = await startProcess('grpc-js', {});
  const requests = options.endsConnections === true ? `keepalive_requests ${KEEPALIVE_REQUESTS};` : '';
  const proxy = await startProxy(nginxProgram, (port, folder) => {
    // Its workers run as another user when nginx is started by root.
    chmodSync(folder, 0o755);
    const file = join(folder, 'nginx.conf');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = paths.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
    writeFileSync(
      file,
      `worker_processes 1; pid ${join(folder, 'nginx.pid')}; events {}
       http {
         ${temporary} access_log off; ${requests}
         upstream nodes { server 127.0.0.1:${behind.port}; keepalive 16; }
         server { listen 127.0.0.1:${port} http2; location / { grpc_pass grpc://nodes; } }
       }`,
    );
    return { args: ['-p', folder, '-c', file, '-e', join(folder, 'error.log'), '-g', 'daemon off;'] };
  });
  return {
    ...behind,
    port: proxy.port,
    async stop() {
      await proxy.stop();
      await behind.stop();
    },
  };
}

/** In a storm each connection ends with its first request, which the node does not process. */
async function startFrames(): Promise<ChaosNode> {
  let isStorm = false;
  const peer = await startFramePeer({
    onFrame(to, { type, flags, streamId, payload }) {
      if (type === FRAME.ping && (flags & FLAG.ack) === 0) to.send(FRAME.ping, FLAG.ack, 0, payload);
      if (type === FRAME.settings && (flags & FLAG.ack) === 0) to.send(FRAME.settings, FLAG.ack, 0);
      if (type !== FRAME.data || (flags & FLAG.endStream) === 0) return;
      if (isStorm) {
        to.send(FRAME.goaway, 0, 0, numbers(0, ERROR.noError));
        to.socket.end();
      } else setTimeout(() => to.socket.writable && sendReply(to, streamId), FRAMES_ECHO_MS);
    },
  });
  return {
    port: Number(peer.target.split(':')[1]),
    freeze: () => {},
    thaw: () => {},
    storm: (isOn) => {
      isStorm = isOn;
    },
    stop: () => peer.close(),
  };
}
