/** Behaviour of the next payments. The first three are normal; the others are faults of network and provider. */
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
  /** Reference of the bill that it pays, if any. */
  readonly reference: string | undefined;
  readonly way: Way;
  status: 'pending' | 'paid' | 'refused';
  receipt: string;
  /** Number of requests. */
  asked: number;
}

interface Bill {
  readonly name: string;
  readonly amount: string;
  readonly reference: string;
  readonly state: 'due' | 'overdue';
}

/** The bills that every phone begins with. */
const bills: readonly Bill[] = [
  { name: 'Water', amount: '250', reference: 'W-1042', state: 'due' },
  { name: 'Electricity', amount: '1200.50', reference: 'E-77', state: 'overdue' },
  { name: 'School fees', amount: '90', reference: 'S-3', state: 'due' },
];

/** The ledger: one payment per intent for any number of requests. */
export class Ledger {
  readonly payments = new Map<string, Payment>();
  /** How the next payments go. */
  way: () => Way = () => 'confirm';
  #paid = 0;

  /** The payment of this intent, begun now if it is new. */
  ask(intent: string, of: Pick<Payment, 'phone' | 'amount' | 'reference'>): Payment {
    const known = this.payments.get(intent);
    const payment = known ?? { intent, ...of, way: this.way(), status: 'pending', receipt: '', asked: 0 };
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

  /** The bills of a phone. */
  billsOf(phone: string): readonly Bill[] {
    const paid = [...this.payments.values()].filter((one) => one.phone === phone && one.status === 'paid');
    return bills.filter((bill) => paid.every(({ reference }) => reference !== bill.reference));
  }

  refuse(payment: Payment): void {
    if (payment.status === 'pending') payment.status = 'refused';
  }
}

/** The state of a payment, as the gateway's webhook expects it. */
export function answerOf({ status, receipt }: Payment): object {
  if (status === 'pending') return { status: 'pending', askAgainSeconds: 1 };
  return status === 'paid'
    ? { status: 'done', outcome: 'paid', facts: { receipt } }
    : { status: 'refused', outcome: 'refused' };
}
