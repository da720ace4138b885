import { formality, userPreferencesBody } from '@mlango/schemas/oracle-preferences';
import { expect, it } from 'vitest';
import { formalities, preferenceFields } from './preference-fields.js';

it('the form has every preference of the oracle', () => {
  expect(formalities).toEqual(formality.options);
  const named = [...preferenceFields.map(({ name }) => name), 'formality', 'customInstructions'];
  expect(named.toSorted()).toEqual(Object.keys(userPreferencesBody.shape).toSorted());
  for (const { name, maxLength } of preferenceFields) {
    expect(userPreferencesBody.safeParse({ [name]: 'x'.repeat(maxLength) }).success, name).toBe(true);
    expect(userPreferencesBody.safeParse({ [name]: 'x'.repeat(maxLength + 1) }).success, name).toBe(false);
  }
});
