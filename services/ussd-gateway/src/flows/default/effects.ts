/** What this dialogue can do outside of itself, each with all of its results. `accounts/` does it. */
export const effects = {
  /** Creates an account of the name, email and PIN that were typed. */
  createAccount: ['created'],
  /** Logs in with a Customer ID and a PIN. */
  logIn: ['right', 'wrong', 'locked'],
  /** Asks for the PIN again, of who is logged in. */
  checkPin: ['right', 'wrong', 'locked'],
  changePin: ['changed'],
  setLanguage: ['set'],
} as const;
