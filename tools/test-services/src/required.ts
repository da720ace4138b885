/** Whether this run includes the files `*.integration.test.ts`. Other runs search for no program besides Node. */
export const runsIntegration: boolean = process.env['TEST_SUITE'] === 'integration';

/** `REQUIRE_REAL_SERVICES=1`: a missing program fails the integration tests instead of skipping some. */
export function realServicesRequired(): boolean {
  return runsIntegration && process.env['REQUIRE_REAL_SERVICES'] === '1';
}
