declare const APP_VERSION: string

/** Of the shell, as its package names it. */
export const version: string = typeof APP_VERSION === 'string' ? APP_VERSION : 'dev'
