/** Address of the documentation, without a slash at its end. Written by scripts/project.mjs. */
export const DOCS = 'https://docs.invalid'
