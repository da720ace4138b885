import type { ForgottenRows, OwnRow } from '../api/account-data.js';
import {
  type ClaimedHold,
  type CreditAccount,
  type CreditClaim,
  type CreditHold,
  type CreditLedger,
  listedClaims,
  longestRetryMs,
  type OutstandingCredits,
  retryMs,
  type TakenClaim,
  type TopUp,
} from './credit-ledger.js';

/** In-memory credits, for tests of code that depends on the port. */
export class MemoryCreditLedger implements CreditLedger {
  /** In the order of their opening. */
  readonly #claims = new Map<string, CreditClaim & { isOpen: boolean }>();
  readonly #balances = new Map<string, number>();
  readonly #attempts = new Map<string, { attempts: number; dueMs: number }>();
  readonly #topUps = new Set<string>();
  readonly #holds = new Map<string, CreditHold>();

  async open(claim: CreditClaim, claimed?: ClaimedHold): Promise<void> {
    if (this.#claims.has(claim.claimId)) return;
    this.#claims.set(claim.claimId, { ...claim, isOpen: true });
    const hold = this.#holds.get(claimed?.runId ?? '');
    if (hold === undefined) return;
    const tokens = Math.max(hold.tokens - claim.tokens, 0);
    this.#holds.set(hold.runId, { ...hold, tokens, expiresAt: claimed?.until ?? hold.expiresAt });
  }

  async reserve(hold: CreditHold, at: Date): Promise<boolean> {
    for (const { runId, expiresAt } of this.#holds.values()) if (expiresAt <= at) this.#holds.delete(runId);
    const { balance, owed, held } = this.#accountOf(hold.ownerDid);
    if (balance - owed - held > 0) this.#holds.set(hold.runId, hold);
    return this.#holds.has(hold.runId);
  }

  async heldFor(runId: string): Promise<number | undefined> {
    return this.#holds.get(runId)?.tokens;
  }

  async release(runId: string): Promise<void> {
    this.#holds.delete(runId);
  }

  async outstanding(): Promise<OutstandingCredits> {
    const open = this.#open().filter(({ tokens }) => tokens > 0);
    const sumOf = (all: readonly { readonly tokens: number }[]) => all.reduce((sum, { tokens }) => sum + tokens, 0);
    const [oldest] = open.toSorted((one, other) => one.openedAt.getTime() - other.openedAt.getTime());
    return { owed: sumOf(open), held: sumOf([...this.#holds.values()]), oldestOpenedAt: oldest?.openedAt };
  }

  async accountOf(ownerDid: string): Promise<CreditAccount> {
    return this.#accountOf(ownerDid);
  }

  #accountOf(ownerDid: string): CreditAccount {
    const open = this.#open().filter((claim) => claim.ownerDid === ownerDid);
    const holds = [...this.#holds.values()].filter((hold) => hold.ownerDid === ownerDid);
    return {
      balance: this.#balanceOf(ownerDid),
      held: holds.reduce((sum, { tokens }) => sum + tokens, 0),
      owed: open.reduce((sum, { tokens }) => sum + tokens, 0),
      openClaims: open.slice(0, listedClaims).map(({ claimId }) => claimId),
    };
  }

  async *rowsOf(ownerDid: string): AsyncGenerator<OwnRow, void> {
    const { balance, held } = this.#accountOf(ownerDid);
    if (this.#balances.has(ownerDid)) yield { kind: 'accounts', row: { balance, held } };
    const claims = [...this.#claims.values()].filter((claim) => claim.ownerDid === ownerDid);
    for (const { ownerDid: _owner, ...row } of claims) yield { kind: 'claims', row };
  }

  async forget(ownerDid: string): Promise<ForgottenRows> {
    const holds = [...this.#holds.values()].filter((hold) => hold.ownerDid === ownerDid);
    for (const { runId } of holds) this.#holds.delete(runId);
    const claims = [...this.#claims.values()].filter((claim) => claim.ownerDid === ownerDid);
    const gone = claims.filter(({ isOpen, tokens }) => !isOpen || tokens === 0);
    for (const { claimId } of gone) this.#claims.delete(claimId);
    return { deleted: { claims: gone.length, holds: holds.length } };
  }

  async topUp({ topUpId, ownerDid, tokens }: TopUp): Promise<number> {
    const balance = this.#balanceOf(ownerDid) + (this.#topUps.has(topUpId) ? 0 : tokens);
    this.#topUps.add(topUpId);
    this.#balances.set(ownerDid, balance);
    return balance;
  }

  async payableClaims(limit: number): Promise<CreditClaim[]> {
    return this.#open()
      .filter((claim) => this.#canPay(claim))
      .slice(0, limit);
  }

  async pay(claimId: string): Promise<boolean> {
    const claim = this.#open().find((open) => open.claimId === claimId);
    if (claim === undefined || !this.#canPay(claim)) return false;
    return (await this.close([claimId])) === 1;
  }

  async takeDue(limit: number, at: Date): Promise<TakenClaim[]> {
    const attemptsOf = ({ claimId }: CreditClaim) => this.#attempts.get(claimId) ?? { attempts: 0, dueMs: 0 };
    const due = this.#open()
      .filter((claim) => attemptsOf(claim).dueMs <= at.getTime())
      .slice(0, limit)
      .map((claim) => ({ ...claim, attempts: attemptsOf(claim).attempts }));
    for (const { claimId, attempts } of due) {
      const waitMs = Math.min(retryMs * 2 ** attempts, longestRetryMs);
      this.#attempts.set(claimId, { attempts: attempts + 1, dueMs: at.getTime() + waitMs });
    }
    return due;
  }

  async hurry(at: Date): Promise<void> {
    for (const [claimId, { attempts }] of this.#attempts)
      this.#attempts.set(claimId, { attempts, dueMs: at.getTime() });
  }

  async mirror(ownerDid: string, balance: number, seen: number): Promise<boolean> {
    if (this.#balanceOf(ownerDid) !== seen) return false;
    this.#balances.set(ownerDid, balance);
    return true;
  }

  async close(claimIds: readonly string[]): Promise<number> {
    const closing = this.#open().filter(({ claimId }) => claimIds.includes(claimId));
    for (const claim of closing) {
      this.#claims.set(claim.claimId, { ...claim, isOpen: false });
      this.#balances.set(claim.ownerDid, Math.max(this.#balanceOf(claim.ownerDid) - claim.tokens, 0));
    }
    return closing.length;
  }

  #open(): CreditClaim[] {
    return [...this.#claims.values()].flatMap(({ isOpen, ...claim }) => (isOpen ? [claim] : []));
  }

  #balanceOf(ownerDid: string): number {
    return this.#balances.get(ownerDid) ?? 0;
  }

  #canPay({ ownerDid, tokens }: CreditClaim): boolean {
    return this.#balanceOf(ownerDid) >= Math.max(tokens, 1);
  }
}
