/** Place of the text about an error code, with CODE for the code in small letters. Written by scripts/project.mjs. */
export const ERROR_PAGE = 'packages/protocol/ERRORS.md#CODE'
