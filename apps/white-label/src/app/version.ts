declare const APP_VERSION: string

/** Version of the app, from its package.json. */
export const version: string = typeof APP_VERSION === 'string' ? APP_VERSION : 'dev'
