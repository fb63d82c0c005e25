/** Name of the environment variable that may hold a private key in hex. */
export const ENVIRONMENT_KEY = 'HAILSTONE_PRIVATE_KEY'
