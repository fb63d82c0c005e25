export { type BrowserVault, openBrowserVault } from '../../../../packages/client/src/web/browser-vault.ts'
