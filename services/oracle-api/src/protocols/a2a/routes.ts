import { sendLimits } from '@mlango/schemas/oracle-send';
import { errorFunnel, type HttpApp, whenReplyClosed } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { mayHave, requireMethodRight } from '../../http/hooks/api-key-auth.js';
import { acceptFileBodies } from '../../http/hooks/bodies.js';
import { requireAuthScope } from '../../http/hooks/require-auth-scope.js';
import { followRun, streamEvents } from '../../http/runs.js';
import { rightsOf } from '../../identity/route-rights.js';
import type { RunStart } from '../../runs/log/store.js';
import { isLive } from '../../runs/run.js';
import type { RunRecord } from '../../runs/run-repository.js';
import { bearerIsInvocation } from '../admission.js';
import {
  noRequest,
  paramsAs,
  type RpcId,
  resultOf,
  rpcMessage,
  rpcReply,
  thrownOf,
  unknownMethod,
} from '../json-rpc.js';
import type { ProtocolDeps } from '../protocol-deps.js';
import { agentCardRoute } from './agent-card.js';
import { errorReplies, renderError, taskNotCancelable, unsupportedOperation, versionNotSupported } from './errors.js';
import { eventText, runEvents } from './events.js';
import { runRequest, startRun } from './request.js';
import { findTask, taskOf } from './tasks.js';

const taskParams = z.looseObject({ id: z.string().min(1).max(200) });

/** `/a2a`: the Agent2Agent protocol over JSON-RPC. */
export function routes(app: HttpApp, deps: ProtocolDeps): void {
  agentCardRoute(app, deps);
  void app.register(async (scope: HttpApp) => {
    scope.setErrorHandler(errorFunnel(renderError).send);
    bearerIsInvocation(scope);
    requireAuthScope(scope, deps);
    a2aRoute(scope, deps, acceptFileBodies(scope, deps, sendLimits.bodyBytes));
  });
}

function a2aRoute(scope: HttpApp, deps: ProtocolDeps, bodyLimit: number): void {
  scope.post(
    '/a2a',
    {
      config: rightsOf('POST /a2a'),
      bodyLimit,
      schema: {
        tags: ['a2a'],
        operationId: 'sendA2aRequest',
        summary: 'Send a request of the Agent2Agent protocol (JSON-RPC)',
        headers: z.object({ 'a2a-version': z.string().max(20).optional() }),
        body: withExample(rpcMessage, {
          jsonrpc: '2.0',
          id: 1,
          method: 'SendMessage',
          params: { message: { role: 'ROLE_USER', parts: [{ text: 'Hello' }], messageId: 'tea-1' } },
        }),
        response: {
          200: {
            description: 'The response, or a stream of responses',
            content: { 'application/json': { schema: rpcReply }, 'text/event-stream': { schema: z.string() } },
          },
          ...errorReplies(413, 415),
        },
      },
    },
    async (request, reply) => {
      const { did } = callerOf(request);
      const { id, method, params } = request.body;
      if (id === undefined || method === undefined) return noRequest();
      try {
        requireKnownVersion(request.headers['a2a-version']);
        requireMethodRight(request, method);
        switch (method) {
          case 'SendMessage': {
            const { message, configuration } = paramsAs(runRequest, params);
            const run = await startRun(deps, request, reply, message);
            const isLeft = configuration?.returnImmediately === true;
            const task = isLeft ? await taskOf(deps, run, 'running') : await ended(reply, run);
            return resultOf(id, { task });
          }
          case 'SendStreamingMessage': {
            const run = await startRun(deps, request, reply, paramsAs(runRequest, params).message);
            return stream(reply, id, { ...run, status: 'running' });
          }
          case 'SubscribeToTask': {
            const run = await findTask(deps, did, paramsAs(taskParams, params).id);
            if (isLive(run.status)) return stream(reply, id, run);
            throw unsupportedOperation('This task sends no more events');
          }
          case 'GetTask': {
            const run = await findTask(deps, did, paramsAs(taskParams, params).id);
            return resultOf(id, await taskOf(deps, run, run.status));
          }
          case 'CancelTask': {
            const run = await findTask(deps, did, paramsAs(taskParams, params).id);
            return resultOf(id, await cancel(request, run));
          }
          default:
            return unknownMethod(id, method);
        }
      } catch (thrown) {
        return thrownOf(id, thrown, request);
      }
    },
  );

  function stream(reply: FastifyReply, id: RpcId, run: RunStart & Pick<RunRecord, 'status'>): FastifyReply {
    const follow = (signal: AbortSignal) => runEvents(deps, run, run.status, followRun(deps, run, 0, signal));
    return streamEvents(deps, reply, follow, (event) => eventText(id, event));
  }

  /** The finished or suspended task; its current state if the client disconnects. */
  async function ended(reply: FastifyReply, run: RunStart) {
    const left = new AbortController();
    whenReplyClosed(reply.raw, () => left.abort());
    let task = await taskOf(deps, run, 'running');
    for await (const events of runEvents(deps, run, 'running', followRun(deps, run, 0, left.signal))) {
      const status = events.findLast(({ statusUpdate }) => statusUpdate !== undefined)?.statusUpdate?.status;
      if (status !== undefined) task = { ...task, status };
    }
    return { ...(await taskOf(deps, run, 'running')), status: task.status };
  }

  /** Stops a task and other runs of its context. The partial answer counts as earlier content. */
  async function cancel(request: FastifyRequest, run: RunRecord) {
    const mayStop = isLive(run.status) || run.status === 'waiting';
    if (!mayStop) throw taskNotCancelable();
    await deps.turns.stop(run.ownerDid, run.sessionId, 'aborted');
    const task = await taskOf(deps, run, 'aborted');
    return mayHave(request, 'earlier') ? task : { ...task, artifacts: [] };
  }
}

function requireKnownVersion(version: string | undefined): void {
  if (version === undefined || /^1\.\d+(\.|$)/.test(version)) return;
  throw versionNotSupported();
}
