/** Returns the host as the socket address has it, without port and without the brackets of IPv6 (PROTOCOL 5.3). */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')
