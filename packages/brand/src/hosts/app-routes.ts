/** First parts of the paths that the app's own pages have below `/`. Every other path is a file of the host, or missing. */
export const appRoutes = [
  'health',
  'i',
  'invite',
  'log',
  'more',
  'rewards',
  'sign-in',
  'tx',
  'unlock',
  'wallet',
] as const

/**
 * Regular expression, without slashes around it, of what follows the first `/` in a path of the app's own pages. It does
 * not match the empty path. A path with a dot is never one of them.
 */
export const ROUTE_PATTERN = `(?:${appRoutes.join('|')})(?:/[^.]*)?`
