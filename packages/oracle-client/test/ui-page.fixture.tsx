import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { Oracle, type OracleProps } from '../src/ui.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { newUser, pageOf, type User } from './user.fixture.js';

/** A page with a complete chat, of a new user by default. */
export function openOracle(props: Partial<OracleProps> = {}, user: User = newUser()) {
  const oracle = (more: Partial<OracleProps> = {}): ReactElement => (
    <Oracle oracleDid={oracleDid} overrides={{ baseUrl }} {...props} {...more} />
  );
  return render(oracle(), { wrapper: pageOf(user) });
}
