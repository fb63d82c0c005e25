export { type BrowserVault, openVault } from '../../../../packages/client/src/web/browser-vault.ts'
export type { VaultMemory } from '../../../../packages/client/src/web/vault-memory.ts'
