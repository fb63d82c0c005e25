import { useMiner } from '@hailstone/react'
import type { ReactNode } from 'react'
import { usePreferences } from '../app/app-context.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'

/** Says by which campaign this account came, if it was that of its agent. */
export function CameBy({ agentCode }: { readonly agentCode: string }): ReactNode {
  const later = useLaterTexts()
  const { address } = useMiner()
  const { campaign: earlier, cameBy } = usePreferences()
  const campaign = cameBy?.[address] ?? (earlier?.address === address ? earlier : undefined)
  if (later === null || campaign === undefined) return null
  if (campaign.code.toLowerCase() !== agentCode.toLowerCase()) return null
  return <p className="muted small">{later('campaign.came', { name: campaign.name })}</p>
}
