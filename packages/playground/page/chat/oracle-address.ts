/** The address of the oracle for this page: behind the page's own server, sockets included. */
export const oracleAddress = { baseUrl: `${window.location.origin}/oracle` };
