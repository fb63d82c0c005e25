import { type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/**
 * Prints `_headers` as static hosts read it. Everything else keeps their default, which asks again each time: a second
 * `Cache-Control` would be joined to the first.
 */
export const headersFile = ({ headers }: Pick<HostRules, 'headers'>): string =>
  [
    '/*',
    ...headers.map(([name, value]) => `  ${name}: ${value}`),
    '',
    `${IMMUTABLE_FOLDER}*`,
    `  Cache-Control: ${IMMUTABLE}`,
    '',
  ].join('\n')

/** Prints `_redirects` for Netlify: missing files stay missing, routes get the page. */
export const redirectsFile = (): string =>
  [`${IMMUTABLE_FOLDER}* ${IMMUTABLE_FOLDER}404.html 404`, '/* /index.html 200', ''].join('\n')

export const missingPage = (): string =>
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>404</title><p>There is no such file.</p></html>\n'
