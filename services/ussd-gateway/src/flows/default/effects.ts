/** What this dialogue changes outside of itself, each with all of its results. `accounts/` does it. */
export const effects = {
  /** Creates an account of the name, email and PIN that were typed, unless the phone has created as many today as it may. */
  createAccount: ['created', 'limited'],
  changePin: ['changed'],
  /** Sets the PIN of who typed a one-time code, and logs in. */
  resetPin: ['changed', 'over'],
  setLanguage: ['set'],
} as const;

/** What it has checked. `accounts/` does that too. */
export const checks = {
  /** Logs in with a Customer ID and a PIN, or the one-time code in its place. */
  logIn: ['right', 'code', 'wrong', 'locked'],
  /** Finds the accounts of the phone that have a PIN, for who forgot the Customer ID. */
  findIds: ['found', 'wrong', 'locked'],
  /** Asks for the PIN again, of who is logged in. */
  checkPin: ['right', 'wrong', 'locked'],
} as const;
