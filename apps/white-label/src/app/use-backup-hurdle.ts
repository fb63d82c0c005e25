import { useApp, useEngine } from './app-context.ts'
import { mayPostponeBackup } from './backup-rule.ts'

/** True if receiving is blocked because the key exists only on this device. */
export function useBackupHurdle(): boolean {
  const { brand } = useApp()
  const account = useEngine()?.account
  const isBackedUp = account?.status === 'open' || account?.status === 'locked' ? account.isBackedUp : true
  return !isBackedUp && !mayPostponeBackup(brand)
}
