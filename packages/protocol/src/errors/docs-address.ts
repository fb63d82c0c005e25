/** Address of the documentation, without a slash at its end. Written by scripts/project.mjs. */
const DOCS = 'https://docs.invalid'

/** Returns the address of the documentation's page about an error code. */
export const docsUrlOf = (code: string): string => `${DOCS}/reference/errors/${code.toLowerCase()}/`
