import { useMiner } from '@hailstone/react'
import { useApp, usePreferences } from './app-context.ts'
import { NO_CAMPAIGNS, type OwnCampaigns } from './own-campaigns.ts'

type Campaigns = { readonly own: OwnCampaigns; readonly set: (next: OwnCampaigns) => void }

/** Returns the campaigns that this account made on this device. */
export function useCampaigns(): Campaigns {
  const { preferences } = useApp()
  const { address } = useMiner()
  const { campaigns } = usePreferences()
  return {
    own: campaigns?.[address] ?? NO_CAMPAIGNS,
    set: (next) => preferences.set({ campaigns: { ...campaigns, [address]: next } }),
  }
}
