import { createTestOracle } from '../../src/create-test-oracle.js';
import type { LanguageModel, ModelRequest } from '../../src/models/language-model.js';
import { localModel } from '../../src/models/local/local-model.js';
import { gate } from '../../src/models/scripted-model.fixture.js';
import { protocolNames } from '../../src/protocols/names.js';
import { bank, type Payment } from '../bank-with-approvals.fixture.js';

/**
 * The built-in model, which also accepts images. To the message "hold" it answers `Well, ` and waits, for `open` or for the end of its
 * run, before the rest.
 */
function holdingModel() {
  const local = localModel({ paceMs: 0 });
  const state = { hold: gate(), stopped: 0, requests: [] as ModelRequest[] };
  const model: LanguageModel = {
    ...local,
    id: 'scripted',
    seesImages: true,
    async *stream(request, signal) {
      state.requests.push(request);
      const text = request.messages.findLast(({ role }) => role === 'user')?.content.trim();
      if (text !== 'hold' || request.messages.at(-1)?.role !== 'user') return yield* local.stream(request, signal);
      yield { type: 'text', delta: 'Well, ' };
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await Promise.race([state.hold.opened, stopped]);
      if (signal.aborted) state.stopped++;
      signal.throwIfAborted();
      yield { type: 'text', delta: 'here it is.' };
    },
  };
  return { model, state };
}

/** An oracle with all protocols and a bank. Payments need an approval. */
export async function oracleForClients(env: Readonly<Record<string, string>> = {}) {
  const { model, state } = holdingModel();
  const paid: Payment[] = [];
  const oracle = await createTestOracle({
    plugins: [bank(paid)],
    model,
    env: { DOORS: protocolNames.join(','), ...env },
  });
  const url = await oracle.listen();
  return { ...oracle, url, state, paid };
}

export type OracleForClients = Awaited<ReturnType<typeof oracleForClients>>;
