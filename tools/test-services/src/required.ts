/** Whether this run has the files `*.integration.test.ts`. In any other no program but Node is looked for. */
export const runsIntegration: boolean = process.env['TEST_SUITE'] === 'integration';

/** `REQUIRE_REAL_SERVICES=1`: a missing program fails the integration tests instead of skipping some. */
export function realServicesRequired(): boolean {
  return runsIntegration && process.env['REQUIRE_REAL_SERVICES'] === '1';
}
