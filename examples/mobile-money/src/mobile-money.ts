import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, Ledger, type Payment, type Way, ways } from './ledger.js';
import { isFromGateway, signatureOf } from './webhook-signature.js';

export interface MobileMoneyOptions {
  readonly port: number;
  /** Shared with the gateway: `whsec_…`. */
  readonly secret: string;
  /** The gateway's callback URL; read again for each try. */
  readonly callbackUrl: () => string;
  /** How long the payer takes to confirm on the phone. */
  readonly confirmMs: number;
}

const lateFactor = 5;
const callbackTries = 20;
const callbackPauseMs = 300;
const callbackLimitMs = 5000;

type Reply = readonly [status: number, said: unknown];

/** The gateway's request. */
interface Asked {
  readonly operation: string;
  readonly intent: string;
  readonly entries: { readonly amount?: string; readonly reference?: string };
  readonly phone: string;
}

const paysAtOnce: readonly Way[] = ['atOnce', 'failFirst', 'payAndHang', 'payAndGarble'];

/** Simulates a mobile-money service: money moves when the payer has confirmed, and the gateway is called back then. */
export async function openMobileMoney(options: MobileMoneyOptions) {
  const { secret, confirmMs, callbackUrl } = options;
  const ledger = new Ledger();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ledger,
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const reply = answer(request, Buffer.concat(parts).toString('utf8'));
    if (reply === undefined) return;
    const [status, said] = reply;
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(said)}\n`);
  }

  function answer({ method, headers, url: path = '/' }: IncomingMessage, body: string): Reply | undefined {
    const { pathname } = new URL(path, url);
    const last = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    // For manual tests: the payments, and the behaviour of the next ones.
    if (method === 'GET' && pathname === '/payments') return [200, [...ledger.payments.values()]];
    if (method === 'PUT') return choose(last);
    if (!isFromGateway(secret, headers, body)) return [401, { error: 'not signed by the gateway' }];
    return method === 'GET' ? tell(ledger.payments.get(last)) : take(JSON.parse(body));
  }

  function choose(name: string): Reply {
    const way = ways.find((one) => one === name);
    if (way === undefined) return [400, { error: `one of ${ways.join(', ')}` }];
    ledger.way = () => way;
    return [200, { way }];
  }

  function tell(payment: Payment | undefined): Reply {
    // A service that was out of order has recorded nothing.
    const isKnown = payment !== undefined && !(payment.way === 'failFirst' && payment.status === 'pending');
    return isKnown ? [200, answerOf(payment)] : [404, { error: 'no such payment' }];
  }

  /** Undefined if it hangs. */
  function take(asked: Asked): Reply | undefined {
    if (asked.operation === 'pay') return pay(asked);
    const { operation, entries, phone } = asked;
    const facts = operation === 'quote' ? { fee: feeOf(entries.amount) } : { bills: ledger.billsOf(phone) };
    return [200, { status: 'done', outcome: 'found', facts }];
  }

  function pay({ intent, phone, entries: { amount = '0', reference } }: Asked): Reply | undefined {
    const isNew = !ledger.payments.has(intent);
    const payment = ledger.ask(intent, { phone, amount, reference });
    const { way } = payment;
    if (way === 'failFirst' && payment.asked < 3) return [500, { error: 'out of order' }];
    if (paysAtOnce.includes(way)) ledger.pay(payment);
    if (way === 'payAndHang' && isNew) return undefined;
    if (way === 'payAndGarble' && isNew) return [200, 'Paid!'];
    if (isNew && payment.status === 'pending') {
      after(way === 'late' ? lateFactor * confirmMs : confirmMs, () => confirm(payment));
    }
    return [200, answerOf(payment)];
  }

  function confirm(payment: Payment): void {
    if (payment.way === 'refuse') ledger.refuse(payment);
    else ledger.pay(payment);
    if (payment.way === 'never') return;
    const told = callBack(payment.intent, answerOf(payment));
    if (payment.way === 'twice') void callBack(payment.intent, answerOf(payment));
    if (payment.way !== 'contradict') return;
    // After the first outcome is accepted: it is final, and must be the true one.
    void told.then(() => after(confirmMs, () => void callBack(payment.intent, { status: 'refused' })));
  }

  /** Until the gateway has taken it. */
  async function callBack(intent: string, said: object): Promise<void> {
    const body = JSON.stringify({ intent, ...said });
    for (let tries = 0; tries < callbackTries; tries++) {
      if (await deliver(`${intent}-told`, body)) return;
      await new Promise<void>((resolve) => after(callbackPauseMs, resolve));
    }
  }

  async function deliver(id: string, body: string): Promise<boolean> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secret, id, timestamp, body),
    };
    const signal = AbortSignal.timeout(callbackLimitMs);
    try {
      return (await fetch(callbackUrl(), { method: 'POST', headers, body, signal })).ok;
    } catch {
      return false;
    }
  }
}

function feeOf(amount = '0'): string {
  return String(Math.max(1, Math.round(Number(amount) / 100)));
}
