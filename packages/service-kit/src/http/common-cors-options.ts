/** CORS options of every service. */
export const commonCorsOptions = {
  /** Time for which a browser stores the reply to a preflight, in seconds. */
  maxAge: 600,
  /** An OPTIONS request that is no preflight gets the reply of one, because the refusal of the CORS plugin is not JSON. */
  strictPreflight: false,
};
