/** Where the oracle is for this page: behind its own server, sockets included. */
export const oracleAddress = { baseUrl: `${window.location.origin}/oracle` };
