/** The names of the two counts of a customer: that of all strange phones, and the owner's. */
export function subjectsOf(customerId: string): readonly [strangers: string, owner: string] {
  return [`customer:${customerId}`, `owner:${customerId}`];
}

export function phoneSubject(number: string): string {
  return `phone:${number}`;
}
