/** Settings by which a service under load refuses nothing. */
export const unlimited = {
  RATE_LIMIT_MAX: '1000000000',
  TURNS_PER_ADDRESS: '1000000',
  SESSIONS_PER_USER: '1000000',
  PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
};
