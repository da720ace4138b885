/** How a payment goes. The first three are a payer's day; the others are what a network and a provider do to it. */
export const ways = [
  'confirm',
  'atOnce',
  'refuse',
  'never',
  'late',
  'twice',
  'contradict',
  'payAndHang',
  'payAndGarble',
  'failFirst',
] as const;
export type Way = (typeof ways)[number];

export interface Payment {
  readonly intent: string;
  readonly phone: string;
  readonly amount: string;
  readonly way: Way;
  status: 'pending' | 'paid' | 'refused';
  receipt: string;
  /** How often it was asked for. */
  asked: number;
}

/** The money: one payment for an intent, however often it is asked for. */
export class Ledger {
  readonly payments = new Map<string, Payment>();
  /** How the next payments go. */
  way: () => Way = () => 'confirm';
  #paid = 0;

  /** The payment of this intent, begun now if it is new. */
  ask(intent: string, phone: string, amount: string): Payment {
    const known = this.payments.get(intent);
    const payment = known ?? { intent, phone, amount, way: this.way(), status: 'pending', receipt: '', asked: 0 };
    payment.asked += 1;
    this.payments.set(intent, payment);
    return payment;
  }

  /** Moves the money, once. */
  pay(payment: Payment): void {
    if (payment.status !== 'pending') return;
    payment.status = 'paid';
    payment.receipt = `MM${String(++this.#paid).padStart(6, '0')}`;
  }

  refuse(payment: Payment): void {
    if (payment.status === 'pending') payment.status = 'refused';
  }
}

/** What is said of a payment, as the webhook of the gateway expects it. */
export function answerOf({ status, receipt }: Payment): object {
  if (status === 'pending') return { status: 'pending', askAgainSeconds: 1 };
  return status === 'paid'
    ? { status: 'done', outcome: 'paid', facts: { receipt } }
    : { status: 'refused', outcome: 'refused' };
}
