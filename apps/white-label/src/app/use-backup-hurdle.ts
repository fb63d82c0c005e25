import { useApp, useEngine } from './app-context.ts'
import { mayPostponeBackup } from './backup-rule.ts'

/** Whether nothing may come to this account yet, because its key is on this device alone. */
export function useBackupHurdle(): boolean {
  const { brand } = useApp()
  const account = useEngine()?.account
  const isBackedUp = account?.status === 'open' || account?.status === 'locked' ? account.isBackedUp : true
  return !isBackedUp && !mayPostponeBackup(brand)
}
