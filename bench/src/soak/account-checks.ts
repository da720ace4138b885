import type { Finding } from './flatness.js';
import type { PaymentTold } from './payers.js';
import type { Scene } from './scene.js';
import type { Account } from './subscribers.js';

/** A payment at the mobile money. */
export interface Payment {
  readonly phone: string;
  readonly status: string;
  readonly receipt: string;
}

const patienceMs = 30_000;

export async function keptAccounts({ postgres }: Scene): Promise<Account[]> {
  return postgres.admin('ussd')<Account[]>`select id, phone, full_name as name from customers`;
}

export async function madePayments({ money }: Scene): Promise<Payment[]> {
  const reply = await fetch(`${money.url}/payments`, { signal: AbortSignal.timeout(patienceMs) });
  return (await reply.json()) as Payment[];
}

/** What the gateway has kept of accounts is what subscribers were told. */
export function accountFinding(told: readonly Account[], kept: readonly Account[]): Finding {
  const known = new Map(told.map((account) => [account.id, account]));
  const wrong = kept.filter(({ id, phone, name }) => known.get(id)?.phone !== phone || known.get(id)?.name !== name);
  const lost = told.length - (kept.length - wrong.length);
  const all = `${told.length} told, ${kept.length} kept, ${lost} lost, ${wrong.length} that nobody was told`;
  return {
    invariant: 'accounts kept = accounts told',
    holds: wrong.length === 0 && lost === 0,
    figures: all + someOf(wrong.map(({ phone }) => phone)),
  };
}

/** Each payer has one payment at the mobile money, which is the one they were told of. */
export function paymentFinding(told: readonly PaymentTold[], payments: readonly Payment[]): Finding {
  const byPhone = new Map<string, Payment[]>();
  for (const payment of payments) byPhone.set(payment.phone, [...(byPhone.get(payment.phone) ?? []), payment]);
  const wrong = told.filter(({ phone, receipt }) => {
    const [payment, second] = byPhone.get(phone) ?? [];
    if (payment === undefined || second !== undefined) return true;
    return receipt === undefined ? payment.status !== 'refused' : payment.receipt !== receipt;
  });
  const toldPhones = new Set(told.map(({ phone }) => phone));
  const untold = payments.filter(({ phone }) => !toldPhones.has(phone));
  const all = `${told.length} told, ${payments.length} made, ${wrong.length} wrong, ${untold.length} untold`;
  return {
    invariant: 'payments made once, and told as made',
    holds: wrong.length === 0 && untold.length === 0,
    figures: all + someOf([...wrong, ...untold].map(({ phone }) => phone)),
  };
}

export function someOf(examples: readonly string[]): string {
  return examples.length === 0 ? '' : `: ${examples.slice(0, 3).join(', ')}`;
}
