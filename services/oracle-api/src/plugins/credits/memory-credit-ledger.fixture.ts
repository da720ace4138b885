import { type CreditAccount, type CreditClaim, type CreditLedger, listedClaims, type TopUp } from './credit-ledger.js';

/** Credits of one process, gone with it: for tests of what stands on the port. */
export class MemoryCreditLedger implements CreditLedger {
  /** In the order in which they were opened. */
  readonly #claims = new Map<string, CreditClaim & { isOpen: boolean }>();
  readonly #balances = new Map<string, number>();
  readonly #topUps = new Set<string>();

  async open(claim: CreditClaim): Promise<void> {
    if (!this.#claims.has(claim.claimId)) this.#claims.set(claim.claimId, { ...claim, isOpen: true });
  }

  async accountOf(ownerDid: string): Promise<CreditAccount> {
    const open = this.#open().filter((claim) => claim.ownerDid === ownerDid);
    return {
      balance: this.#balanceOf(ownerDid),
      owed: open.reduce((sum, { tokens }) => sum + tokens, 0),
      openClaims: open.slice(0, listedClaims).map(({ claimId }) => claimId),
    };
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
    this.#balances.set(claim.ownerDid, this.#balanceOf(claim.ownerDid) - claim.tokens);
    return (await this.close([claimId])) === 1;
  }

  async openClaims(limit: number, afterClaimId?: string): Promise<CreditClaim[]> {
    const ids = [...this.#claims.keys()];
    const after = afterClaimId === undefined ? -1 : ids.indexOf(afterClaimId);
    return this.#open()
      .filter(({ claimId }) => ids.indexOf(claimId) > after)
      .slice(0, limit);
  }

  async close(claimIds: readonly string[]): Promise<number> {
    const closing = this.#open().filter(({ claimId }) => claimIds.includes(claimId));
    for (const claim of closing) this.#claims.set(claim.claimId, { ...claim, isOpen: false });
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
