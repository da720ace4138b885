/** `REQUIRE_REAL_SERVICES=1`: a missing Redis or Postgres fails the run instead of skipping tests. */
export function realServicesRequired(): boolean {
  return process.env['REQUIRE_REAL_SERVICES'] === '1';
}
