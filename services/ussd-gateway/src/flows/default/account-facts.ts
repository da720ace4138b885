/** What is known of a subscriber who is logged in, on every authenticated screen. */
export const accountFacts: readonly string[] = ['name', 'shownName', 'email', 'customerId'];
